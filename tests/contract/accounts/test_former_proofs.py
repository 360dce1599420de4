"""The contract of FormerProofs."""

ONE, OTHER = bytes(32), b"\xff" * 32


async def test_a_digest_is_held_once_it_was_added(former_proofs):
    before = await former_proofs.holds_any([ONE, OTHER])
    await former_proofs.add([ONE])
    await former_proofs.add([ONE, ONE])

    assert before is False
    assert await former_proofs.holds_any([OTHER, ONE]) is True
    assert await former_proofs.holds_any([OTHER]) is False


async def test_nothing_is_held_of_no_digests(former_proofs):
    await former_proofs.add([])

    assert await former_proofs.holds_any([]) is False
