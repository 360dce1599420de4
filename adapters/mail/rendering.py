"""Writes mails from templates: a text whose first line is the subject, and HTML for light and dark screens."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import field, frozen
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from footfall.application.languages.language import plural, spoken, tr
from footfall.domain.mail.mail import MailContent, MailKind

TEMPLATES = Path(__file__).parent / "templates"


def _environment(*, autoescape: bool) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        extensions=["jinja2.ext.i18n"],
        autoescape=autoescape,  # noqa: S701 - only the plain texts are not escaped
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.install_gettext_callables(tr, plural, newstyle=True)  # type: ignore[attr-defined]
    environment.globals["spoken"] = spoken
    environment.filters["translated"] = tr
    return environment


@frozen
class TemplateRenderer:
    """MailRenderer over the templates of this package, in the spoken language."""

    _texts: Environment = field(factory=lambda: _environment(autoescape=False), init=False)
    _pages: Environment = field(factory=lambda: _environment(autoescape=True), init=False)

    def render(self, kind: MailKind, values: Mapping[str, Any]) -> MailContent:
        """Return subject, text and HTML of a mail of this kind; line breaks in texts become spaces."""
        values = {
            name: " ".join(value.split()) if isinstance(value, str) else value
            for name, value in values.items()
        }
        subject, _, text = self._texts.get_template(f"{kind}.txt").render(values).partition("\n")
        html = self._pages.get_template(f"{kind}.html").render(values, subject=subject)
        return MailContent(subject=subject, text=text.lstrip("\n"), html=html)
