"""Where the stores of cells are: what each event and each look ask for takes no time."""

from footfall.adapters.postgres.cells.places import url_of_cell
from footfall.domain.cells.cell import Cell
from footfall.entrypoints.composition.cells.cell_homes import CellHomes

PLAIN, MOVING, UNKNOWN = (Cell(name=name, place=name, mark="mark") for name in ("west", "east", "north"))
PLACES = {
    "west": "postgresql://app@10.0.4.1/footfall",
    "east": "citus+postgresql://app@10.0.4.1,10.0.4.2/footfall",
}


def test_cells_on_citus_move_by_themselves():
    homes = CellHomes(PLACES)

    assert [homes.moves(cell) for cell in (PLAIN, MOVING, UNKNOWN)] == [False, True, False]


async def test_the_url_of_a_cell_is_made_once():
    homes = CellHomes(PLACES)

    made = await homes.url_of(PLAIN)

    assert made == url_of_cell("west", PLACES["west"])
    assert made is not url_of_cell("west", PLACES["west"])
    assert await homes.url_of(PLAIN) is made
