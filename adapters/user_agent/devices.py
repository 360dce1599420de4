"""Devices: what kind of thing a browser runs on, by the words that its user agent has for it."""

from ua_parser_rs import UserAgentExtractor

from footfall.domain.tracking.hit import DeviceType

# The dialect is that of Rust's regex crate; all patterns ignore case.
CONSOLE = (
    r"playstation|\bps[345]\b|\bpsp[/ ]|ps ?vita|nintendo|\bwii\b|\bxbox|dreamcast|segasaturn|\bouya",
    r"steamdeck|steam gameoverlay|nvidia shield\)|\bretroid pocket",
)
TELEVISION = (
    r"smart-?_?tv|smarthub|apple ?tv|google ?tv|hbbtv|netcast|web0s|webos[ .]tv|tvos|webtv|inettvbrowser",
    r"philipstv|nettv|kreatv|mitv|\bviera|bravia|vidaa|vizio|\baquos[- ]?tv|mi ?box\b|chromecast|crkey",
    r"\broku|\baft[a-z]{1,4}\d*\b|shield android|freebox|minix neo|opr tv|opera tv|tv store|\bomi/\d",
    r"ce-html|dlnadoc|\bmaple|stbapp|set-?top|\bstb\b|blu-?ray|bdplayer|\bbd\.20\d\d|large screen|\bmxq",
    r"\bx96|(?:[ _-]|\b|[a-z])tv(?:[ ;)]|[ _-]?box)|\batv\b",
    r"[a-z]-?led\d\d|(?:[ _-]|\b|[a-z])box(?:[-;) ]|$)",
)
COMPUTER_WITH_ANDROID = (r"chromebook|travelmate|\baspire|inspiron|lifebook|thinkpad|remixos|\bcros\b",)
SMALL_KINDLE = (r"silk/.* mobile",)
TABLET = (
    r"ipad|\btablet(?:[^ ]| [^p]|$)|playbook|kindle|silk/|\bnook|bntv\d|\bkf[a-z]{3,5}\b|nexus (?:7|9|10)\b",
    r"\bxoom\b|touchpad|transformer|\bsm-[tpx]\d{3}|\bgt-[np]\d{4}|mediapad|matepad|\bpad\b|[a-z]pad \d",
    r"[a-z]pad build|galaxy tab|\btab[ _-]?[\da]|lenovo (?:tb|tab|yoga)|\btb-?[\dx]",
)
# Android browsers name "Mobile" on telephones only; other programs (Dalvik) never name it.
TELEPHONE_WITH_ANDROID = (
    r"android.*(?:mobile|phone|opera mini|dalvik)|(?:mobile|phone|opera mini|dalvik).*android",
)
TABLET_WITH_ANDROID = (r"android",)
TELEPHONE = (
    r"iphone|\biph\d|ipod|mobi|phone|blackberry|\bbb10|symbian|series ?[46]0|\bs60|midp|cldc|j2me|opera mini",
    r"windows ce|wpdesktop|up\.browser|docomo|kddi|softbank|kaios|\bbada\b|nokia|sonyericsson|tizen",
    r"sailfish;|maemo|meego|palm|webos/|fennec|ucweb|teleca|samsung-|\blge?-|\bmot-|\blumia|obigo",
    r"netfront|openwave|polaris|maui|\bios\b",
)
COMPUTER = (
    r"windows|winnt|\bwin(?:7|8|10|9[58]|32|64)\b|macintosh|mac ?os|mac_powerpc|darwin|x11|linux|bsd\b",
    r"sunos|solaris|haiku|beos|amiga|morphos|os/2|openvms|syllable|inferno|cygwin|harmonyos",
)

# The first that matches counts: a television with Android is a television, an iPad with "Mobile" a tablet.
KINDS = (
    (CONSOLE, DeviceType.CONSOLE),
    (TELEVISION, DeviceType.TV),
    (COMPUTER_WITH_ANDROID, DeviceType.DESKTOP),
    (SMALL_KINDLE, DeviceType.MOBILE),
    (TABLET, DeviceType.TABLET),
    (TELEPHONE_WITH_ANDROID, DeviceType.MOBILE),
    (TABLET_WITH_ANDROID, DeviceType.TABLET),
    (TELEPHONE, DeviceType.MOBILE),
    (COMPUTER, DeviceType.DESKTOP),
)


class Devices:
    """Tells the kind of device; an iPad that asks for desktop sites calls itself a Mac and counts as one."""

    def __init__(self) -> None:
        self._kinds = UserAgentExtractor(
            (f"(?i){words}", kind, None, None, None, None) for patterns, kind in KINDS for words in patterns
        )

    def recognise(self, user_agent: str) -> DeviceType:
        """Return the kind of device that a browser's user agent names (docs/track/enrichment.md)."""
        match = self._kinds.extract(user_agent)
        return DeviceType(match.family) if match else DeviceType.UNKNOWN
