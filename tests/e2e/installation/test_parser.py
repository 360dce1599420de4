"""Another parser that is installed beside the service changes nothing."""

from tests.e2e.service import running


def test_the_service_never_looks_for_the_parser_in_c(data_dir, tmp_path):
    looked = tmp_path / "looked"
    (tmp_path / "gunicorn_h1c.py").write_text(f"open({str(looked)!r}, 'w').close()\nraise ImportError\n")

    with running(data_dir, environment={"PYTHONPATH": str(tmp_path)}, is_forked=False) as service:
        status, _ = service.get("/livez")

    assert status == 200
    assert not looked.exists()
