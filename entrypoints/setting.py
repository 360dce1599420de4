"""What is declared of a setting: its environment variable, parser, default and meaning."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from attrs import field, fields, frozen

_DECLARED = "setting"


def _none() -> None:
    return None


@frozen
class ServiceSetting:
    """One setting: its name, its environment variable, parser, default and meaning.

    `default` is a text that is parsed like a given one. A setting without such a text has the value that `absent`
    computes, and `default_help` says what that is. The value of a secret one may be in a file instead of the
    environment.
    """

    name: str
    parse: Callable[[str], Any]
    help: str
    default: str = ""
    absent: Callable[[], Any] = _none
    default_help: str = ""
    secret: bool = False

    @property
    def variable(self) -> str:
        """The environment variable."""
        return f"FOOTFALL_{self.name.upper()}"

    @property
    def described_default(self) -> str:
        """The default for people."""
        return self.default or self.default_help

    @property
    def described(self) -> str:
        """The meaning with the default, for the help of the command line."""
        return f"{self.help}; default: {self.described_default}."

    def read(self, environment: Mapping[str, str]) -> Any:
        """Return the value that an environment gives.

        Raises:
            ValueError: the variable cannot be parsed, or its file cannot be read; the text names the rule.

        """
        text = environment.get(self.variable, "") or self.default
        if self.secret and (path := environment.get(f"{self.variable}_FILE")):
            text = self._text_of_file(path, text)
        return self.parse(text) if text else self.absent()

    def _text_of_file(self, path: str, given: str) -> str:
        if given:
            raise ValueError(f"must not be set beside {self.variable}_FILE")
        try:
            text = Path(path).expanduser().read_text().strip()
        except (OSError, UnicodeDecodeError):
            text = ""
        if not text:
            # Without this, an empty file would mean the default, such as another key for every visitor.
            raise ValueError(f"cannot be read from {path}, or is empty there")
        return text


def setting(parse: Callable[[str], Any], help_: str, *, shown: bool = True, **declared: Any) -> Any:
    """Declare a field that an environment variable gives; values that are secret or not `shown` are in no repr."""
    declared = {"parse": parse, "help": help_, **declared}
    is_shown = shown and not declared.get("secret")
    return field(repr=is_shown, metadata={_DECLARED: partial(ServiceSetting, **declared)})


def settings_of(kind: type[Any]) -> Mapping[str, ServiceSetting]:
    """Return the settings that the fields of a class declare, by name."""
    return {declared.name: declared.metadata[_DECLARED](name=declared.name) for declared in fields(kind)}
