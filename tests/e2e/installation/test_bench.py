"""`footfall bench` loads the service and looks into the store."""

import pytest


@pytest.mark.slow
def test_bench_verifies_stored_events_and_removes_them(service):
    before = service.administer("org", "list")

    result = service.administer(
        "bench", "--port", str(service.port), "--seconds", "0.5", "--connections", "8"
    )

    assert result["acknowledged"] == result["stored"] > 10
    assert result["verified"] is True
    assert result["otherAnswers"] == {}
    assert [site["domain"] for site in service.administer("site", "list")] == ["localhost"]
    assert service.administer("org", "list") == before
