"""The lists of names in the OpenAPI document are those that the service accepts."""

import re
from zoneinfo import available_timezones

from footfall.adapters.http.resources.docs_page import resolve
from footfall.adapters.http.resources.openapi import document
from footfall.adapters.http.resources.reports.breakdowns import unit_counted
from footfall.application.access.shared_links import dimension_for, is_for_members
from footfall.domain.exceptions import Invalid
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.sites.configuration import SETTINGS
from footfall.domain.sites.excluded_addresses import COUNTRIES
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.traffic.breakdown import OUTBOUND
from footfall.domain.traffic.dimensions import ALL, FAMILIES, MAX_KEY, PROPERTY, QUERY, of_events_alone
from footfall.domain.traffic.filters import PARAMETERS

SCHEMAS = document()["components"]["schemas"]


def test_the_document_names_the_countries_that_can_be_excluded():
    assert set(SCHEMAS["Country"]["enum"]) == COUNTRIES


def test_the_document_names_the_time_zones_that_the_service_knows():
    pattern = re.compile(SCHEMAS["TimeZone"]["pattern"])
    zones = {name for name in available_timezones() if accepted(name)}

    assert len(zones) > 400
    assert sorted(name for name in zones if not pattern.search(name)) == []


def test_the_service_accepts_each_time_zone_of_the_document():
    described = names_of(SCHEMAS["TimeZone"]["pattern"].removeprefix("^").removesuffix("$"))

    assert len(described) > 400
    assert sorted(name for name in described if not accepted(name)) == []


def test_the_document_names_the_dimensions_that_are_declared():
    breakdowns = {one.name for one in ALL if one.breaks_down}

    assert names_in(SCHEMAS["Dimension"]) == breakdowns
    assert names_in(SCHEMAS["MovingDimension"]) == {*breakdowns, OUTBOUND}
    assert names_in(SCHEMAS["Filter"]["properties"]["parameter"]) == set(PARAMETERS)


def test_the_document_names_the_families_of_dimensions_and_the_longest_key():
    pattern = re.compile(SCHEMAS["KeyedDimension"]["pattern"])
    longest = "x" * MAX_KEY

    assert {one for one in (*FAMILIES, "goal") if pattern.search(f"{one}:{longest}")} == set(FAMILIES)
    assert not pattern.search(f"property:{longest}x")
    assert not pattern.search("property:")


def test_the_document_names_the_units_that_breakdowns_count():
    dimensions = [one.name for one in ALL if one.breaks_down] + [
        one.of_key("plan") for one in FAMILIES.values()
    ]
    units = {unit_counted(by) for by in [*dimensions, OUTBOUND, of_events_alone(PROPERTY.of_key("plan"))]}

    assert set(SCHEMAS["CountedUnit"]["enum"]) == units


def test_the_document_names_the_families_that_are_kept_from_other_readers():
    [words] = [tag["description"] for tag in document()["tags"] if tag["name"] == "Reports"]

    assert ("parameters of query strings" in words) == is_for_members(QUERY.of_key("ref"))
    assert ("properties are about custom events only" in words) == (
        dimension_for(PROPERTY.of_key("plan"), belongs=False) != PROPERTY.of_key("plan")
    )


def test_the_document_names_the_panels_of_links():
    assert SCHEMAS["SharedPanel"]["enum"] == list(SharedPanel)


def names_in(schema):
    """Return the names that a schema lists beside dimensions with keys."""
    names, others = schema["anyOf"]
    assert others == {"$ref": "#/components/schemas/KeyedDimension"}
    return set(names["enum"])


def test_the_document_names_the_settings_of_sites_and_those_that_the_script_reads():
    switches = SCHEMAS["Toggles"]["properties"].keys()
    changes, config, site = (SCHEMAS[name]["allOf"][1] for name in ("ConfigChanges", "SiteConfig", "Site"))
    script = operation("getTrackingConfig")["responses"]["200"]["content"]["application/json"]["schema"]
    body = operation("configureSite")["requestBody"]["content"]["application/json"]["schema"]
    names = {one.name for one in SETTINGS.values()}

    assert switches | changes["properties"].keys() == set(config["required"]) == names
    assert set(body["propertyNames"]["enum"]) == names
    assert set(site["required"]) & names == switches
    assert set(script["required"]) & names == {one.name for one in SETTINGS.values() if one.of_script}


def operation(name):
    """Return the operation of this name in the document."""
    operations = [
        one
        for path in document()["paths"].values()
        for one in path.values()
        if isinstance(one, dict) and one.get("operationId") == name
    ]
    return operations[0]


def names_of(pattern):
    """Return the names that a pattern of names and of groups of names allows."""
    inner = pattern.removeprefix("(").removesuffix(")") if whole_group(pattern) else pattern
    return {name for part in branches(inner) for name in expanded(part)}


def expanded(part):
    head, opening, rest = part.partition("(")
    if not opening:
        return [part.replace("\\", "")]
    group, tail = split_group(rest)
    return [head + name + end for name in names_of(group) for end in expanded(tail)]


def whole_group(pattern):
    return pattern.startswith("(") and split_group(pattern[1:])[1] == ""


def split_group(text):
    """Return what stands before the end of an open group, and what follows; `?` makes it possible to leave it out."""
    depth = 1
    for index, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            tail = text[index + 1 :]
            return (text[:index] + "|", tail[1:]) if tail.startswith("?") else (text[:index], tail)
    raise AssertionError(text)


def branches(text):
    """Return the branches of a pattern, without dividing its groups."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def accepted(name):
    try:
        parse_zone(name)
    except Invalid:
        return False
    return True


def test_explanations_have_no_defaults_of_single_reports():
    """A generated client sends the defaults of parameters, and explanations refuse what their report does not take."""
    whole = document()
    asked = [resolve(whole, one) for one in whole["paths"]["/api/sites/{site}/changes"]["get"]["parameters"]]

    found = {one["name"] for one in asked if "default" in one["schema"]}

    assert found == {"page", "limit"}
