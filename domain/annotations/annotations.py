"""Annotations: texts that charts show at a time, of which those with a release are marks of deploys."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from operator import attrgetter

from attrs import evolve, field, frozen

from footfall.domain.exceptions import AnnotationNotFound, Invalid, existing
from footfall.domain.periods.period import Period
from footfall.domain.text import shown_lines
from footfall.domain.tracking.release import name_release

MAX_TEXT = 500
MAX_ANNOTATIONS = 5_000
# The time of an annotation lies at most this far ahead.
AHEAD = timedelta(days=366)


@frozen
class AnnotationAdded:
    """A text was put at a time, with a release if it marks a deploy."""

    annotation_id: str
    at: datetime
    text: str
    release: str | None
    user_id: str | None


@frozen
class AnnotationChanged:
    """Time, text and release of an annotation were replaced."""

    annotation_id: str
    at: datetime
    text: str
    release: str | None


@frozen
class AnnotationRemoved:
    """An annotation was removed."""

    annotation_id: str


AnnotationEvent = AnnotationAdded | AnnotationChanged | AnnotationRemoved


@frozen(kw_only=True)
class Annotation:
    """A text at a time; the mark of a deploy has a release. `user_id` is None for the operator."""

    annotation_id: str
    at: datetime
    text: str
    release: str | None
    user_id: str | None

    @property
    def shown(self) -> str:
        """The text, or the release of a mark without one."""
        if self.release is None or self.release == self.text:
            return self.text
        return f"{self.release}: {self.text}" if self.text else self.release


@frozen(kw_only=True)
class Annotations:
    """All annotations of a site, by their ids."""

    by_id: Mapping[str, Annotation] = field(factory=dict)

    def newest_first(self, *, releases: bool = False) -> list[Annotation]:
        """Return the annotations, the latest time first; with `releases` only the marks of deploys."""
        every = self.by_id.values()
        chosen = [annotation for annotation in every if annotation.release is not None or not releases]
        return sorted(chosen, key=attrgetter("at", "annotation_id"), reverse=True)

    def within(self, period: Period) -> list[Annotation]:
        """Return the annotations of a period, by time."""
        chosen = [annotation for annotation in self.by_id.values() if annotation.at in period]
        return sorted(chosen, key=attrgetter("at", "annotation_id"))

    def deploys(self, period: Period) -> list[Annotation]:
        """Return the marks of deploys of a period, by time."""
        return [annotation for annotation in self.within(period) if annotation.release is not None]


def add(
    state: Annotations | None,
    annotation_id: str,
    *,
    at: datetime | None,
    text: str | None,
    release: str | None,
    user_id: str | None,
    now: datetime,
) -> list[AnnotationEvent]:
    """Decide a new annotation, at the present unless a time is given; the mark of a deploy needs no text.

    Raises:
        Invalid: the text, the release or the time breaks a rule, or the site has 5,000 annotations.

    """
    if len((state or Annotations()).by_id) >= MAX_ANNOTATIONS:
        raise Invalid({"text": [f"a site has at most {MAX_ANNOTATIONS:,} annotations: remove some"]})
    checked = _checked(at or now, text, release, now)
    return [AnnotationAdded(annotation_id, *checked, user_id)]


def change(
    state: Annotations | None,
    annotation_id: str,
    *,
    at: datetime | None,
    text: str | None,
    release: str | None,
    now: datetime,
) -> list[AnnotationEvent]:
    """Decide time, text and release of an annotation anew; without a time the present one stays.

    Raises:
        AnnotationNotFound: there is no such annotation.
        Invalid: the text, the release or the time breaks a rule.

    """
    present = _existing(state, annotation_id)
    checked = _checked(at or present.at, text, release, now)
    same = checked == (present.at, present.text, present.release)
    return [] if same else [AnnotationChanged(annotation_id, *checked)]


def remove(state: Annotations | None, annotation_id: str) -> list[AnnotationEvent]:
    """Decide that an annotation is removed.

    Raises:
        AnnotationNotFound: there is no such annotation.

    """
    _existing(state, annotation_id)
    return [AnnotationRemoved(annotation_id)]


def apply(state: Annotations | None, event: AnnotationEvent) -> Annotations:
    """Return the state after an event; accepts every event of the history."""
    by_id = dict((state or Annotations()).by_id)
    match event:
        case AnnotationAdded(annotation_id, at, text, release, user_id):
            by_id[annotation_id] = Annotation(
                annotation_id=annotation_id, at=at, text=text, release=release, user_id=user_id
            )
        case AnnotationChanged(annotation_id, at, text, release):
            if present := by_id.get(annotation_id):
                by_id[annotation_id] = evolve(present, at=at, text=text, release=release)
        case AnnotationRemoved(annotation_id):
            by_id.pop(annotation_id, None)
    return Annotations(by_id=by_id)


def _checked(
    at: datetime, text: str | None, release: str | None, now: datetime
) -> tuple[datetime, str, str | None]:
    release = None if release is None else name_release(release)
    if release is None or text:
        text = shown_lines("text", text or "", maximum=MAX_TEXT)
    if at > now + AHEAD:
        raise Invalid({"at": [f"must be at most {AHEAD.days} days ahead"]})
    return at, text or "", release


def _existing(state: Annotations | None, annotation_id: str) -> Annotation:
    return existing((state or Annotations()).by_id.get(annotation_id), AnnotationNotFound)
