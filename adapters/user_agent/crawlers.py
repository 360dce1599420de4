"""Crawlers: how a program that nobody sits at is told from a browser by what it calls itself."""

import re
from collections.abc import Iterable, Sequence

from crawleruseragents import CRAWLER_USER_AGENTS_DATA
from ua_parser_rs import UserAgentExtractor

# Patterns of the public list that are also names of phones, of a build of Android, of apps that people use.
# What else is known of these crawlers (a word such as "spider", an address) still gives them away.
TOO_BROAD = frozenset(
    {
        "008\\/",
        "AP3A\\.240617\\.008",
        "Blackboard",
        "Butterfly",
        "Code\\/1\\.",
        "Expanse",
        "Fever",
        "Fluid",
        "Podimo",
        "Sogou",
        "Sonic",
        "Viber",
    }
)

# What the public list does not know by name gives itself away by one of these words. The dialect is that of
# Rust's regex crate: no look-around, and a time linear in the length of the text, whatever the text.
TELLTALES = (
    # It says that it is a robot. CUBOT, "M BOT 551" and "M_bot_tab" are telephones.
    r"(?i)(?:^|[^u\s_])bot(?:[^a-z0-9 ]|s\b|$)",
    r"(?i) bot(?:[/;).,]|s\b|$)",
    r"(?i)b[ _]o[ _]t\b|\bcrwlr\b",
    r"(?i)robot|crawl|slurp|scrap(?:er|y|ing)|spider(?:[^ ]|$)|archiv(?:er|ing|e\.org)",
    # It says what it does.
    r"(?i)(?:fetch|probe?|scan|monitor)(?:er|ing|s|n(?:er|ing))?(?:[/. ;)]|$)",
    r"(?i)check(?:er|ing|_http)|(?:domain|health|https?|link|safe|site|spot|url|web|ht://)[ -]?check",
    r"(?i)(?:link|url|uri|page|web|site)[ -]?(?:preview|test|examin)|preview(?:er)?/\d\.",
    r"(?i)(?:analy[sz]|index|grab|harvest|sniff|extract|validat|detect|inspect|verifi|resolv)(?:er|or|ing)\b",
    r"(?i)search ?(?:agent|bot|engine)|(?:local|snap)search\b",
    r"(?i)thumb(?:nail|shot|or/)|webthumb|screen(?:[ -]?shot|ie)|(?:html|page|rails|web)[-_ ]?capture|websnap",
    r"(?i)download(?:er|s|ing)?/|downloader|\b[a-z]+getter/|prefetch|prerender|transcoder|retriever",
    r"(?i)(?:image|link|mail|web)[ -]?proxy|\bproxy\)",
    r"(?i)(?:audit|measurement|prospect|research|survey)(?:/| scan|[a-z]+/\d|;|\)|$)",
    r"(?i)(?:diagnostics|observatory|reconn?)(?:/|;|\)|$)",
    r"(?i)[a-z]agent(?:[/ ]\d|$)|\bwebmon\b|prospecting\w*/\d",
    r"(?i)\blink ?(?:commander|extend|expand)|backlink|webmaster\b|\btime/\d{13}",
    # It is a browser without a window, or what drives one.
    r"(?i)headless|phantom(?:js|as)|selenium|webdriver|puppeteer|playwright|cypress/|splash version|zombie\.js",
    r"(?i)lighthouse|page ?speed|pageburst|synthetic|wkhtmlto|webkit2png|functionize|\bwpif\b|ghost ?inspector",
    # It is the HTTP library of a programming language, or of a system.
    r"(?i)\b(?:lib)?curl|wget|http[-_. ]?client|libwww-perl|\blwp\b|python|aiohttp|httpx|urllib|requests/\d",
    r"(?i)(?:^|[ (])java/\d|\b(?:php|perl|ruby|node(?:\.js)?|go|rust|dart|deno|bun|kubectl|docker|gradle|emacs)/v?\d",
    r"(?i)okhttp|axios|undici|guzzle|reqwest|fasthttp|http_request|postman|insomnia/|web ?services client|webdav",
    r"(?i)winhttp|wininet|\(node\.js|microsoft (?:url control|data access|windows network|log parser)|azure-logic",
    r"(?i)cryptoapi",
    # It is an office program or an app of feeds or mail that looks up a link.
    r"^Microsoft Office [A-Z]\w+(?: \d{4}| Discovery)",
    r"\bMacintosh; Intel Mac OS X\) (?:Word|Excel|PowerPoint)/",
    r"(?i)^(?:airmail|canary%20mail|fiery%20feeds|mail/\d|networkingextension|reeder|readkit|newsblur|swcd)",
    r"(?i)^(?:ddg[-_]android|duckduckgo/\d|downcast|podcastaddict|[a-z]+tester/\d)",
    r"(?i)feed(?:able|ly|bin|er\b|burner|demon|dler|reader|parser|s?pot)|rss[/ ;)]|\brss|subscribers|syndication",
    # It leaves an address to complain to. Ecosia's browsers write "android@111.0": no digit after the @.
    r"(?i)https?://|\bwww\.|[a-z0-9]@[a-z][a-z0-9-]*\.[a-z]| at [a-z]+(?: dot |\.)[a-z]+",
    # It has a name and nothing else, or is a text that no program would call itself.
    r"^[A-Za-z_. -]+$|^\d+$|^[A-Za-z0-9+/=]{60,}$|^Anonymous\b|geckoversion|firefoxversion|\(\) \{|\$\{",
)

# Services that dress up as a browser and that the public list lacks: watchers, scanners, tests of speed.
NAMES = (
    r"(?i)assetnote|catchpoint|claude-web|convertify|criteo\)|dareboost|datadog|datanyze|dataxu|debugbear|dejaclick",
    r"(?i)dmbrowser|firephp|gtmetrix|iplabel|kimonolabs|mapper ?cmd|mixnode|neustar wpm|newrelic|nodemeter|pingdom",
    r"(?i)ptst[/ ]|\brigor\b|rival iq|\bsiege/|site24x7|sparkler|statuscake|stumbleupon|uptime|whatcms|webster pro",
    r"(?i)whorunscoinhive|burpcollaborator|yandex\.translate|bing ?localsearch|googleweblight|-google[/;) ]",
    r"(?i)\bgoogle(?:[-_][a-su-z]|[ _](?:favicon|keyword|page|partner|pp|search console|web preview))",
    r"(?i)\bgoogle(?:adsense|messages/|prober)",
)

# A browser or an app names its system, or the engine that it is built on; a bare HTTP client names neither.
PLATFORMS = (
    r"(?i)android|linux|x11|windows|winnt|\bwin(?:7|8|10|9[58]|32|64)\b|xbox|cros\b|mac ?os|macintosh|mac_powerpc",
    r"(?i)os=mac|darwin|iphone|ipad|ipod|\biph\d|\bios\b|apple ?tv|watchos|bsd\b|sunos|solaris|haiku|beos|amiga",
    r"(?i)morphos|\bos/2\b|openvms|syllable|inferno|risc ?os|hp-ux|irix|harmony|qnx|webos|web0s|tizen|kaios",
    r"(?i)sailfish|maemo|meego|bada\b|blackberry|bb10|playbook|symbian|series ?[46]0|\bs60|nokia|midp|cldc|j2me",
    r"(?i)up\.browser|up\.link|brew\b|palm|maui|docomo|kddi|softbank|vodafone|\bp\d{3}i\b|kindle|nook\b|samsung",
    r"(?i)sonyericsson|openwave|netfront|teleca|obigo|ucweb|wap|playstation|\bps[345p]|nintendo|\bwii|dreamcast",
    r"(?i)segasaturn|aplix|roku|smart-?tv|hbbtv|kreatv|netcast|vizio|crkey|viera",
    r"(?i)\b(?:mot|lg|sam|sec|sie|zte|htc|huawei|alcatel|sharp|sanyo|philips|lenovo|pantech|kyocera|micromax)[-_/]",
    r"(?i)webkit|gecko/|presto|trident|msie|khtml|chrome/\d|firefox/\d|opera[ /]|ms-office|microsoft office/\d",
    r"(?i)^(?:lynx|e?links|w3m|ibrowse|amaya|dillo|netsurf|vms_mosaic|ncsa_mosaic|googleapp)\b|amiga|voyager",
)


class Crawlers:
    """Tells crawlers by their user agent: it is listed, has a telltale word, or is not that of a browser."""

    def __init__(self, listed: Iterable[str] | None = None) -> None:
        """Prepare the patterns; `listed` stands in for the public list of crawlers."""
        patterns = _public_list() if listed is None else listed
        self._crawlers = _Patterns([*patterns, *TELLTALES, *NAMES])
        self._platforms = _Patterns(PLATFORMS)

    def recognise(self, user_agent: str) -> bool:
        """Whether the user agent is that of a crawler, an HTTP library or a browser without a window."""
        return self._crawlers.match(user_agent) or not self._platforms.match(user_agent)


class _Patterns:
    """Many patterns asked at once: a text is compared only with those whose literal parts occur in it."""

    def __init__(self, patterns: Sequence[str]) -> None:
        linear = [pattern for pattern in patterns if _linear(pattern)]
        self._linear = UserAgentExtractor((pattern, "match", None, None, None, None) for pattern in linear)
        self._other = [re.compile(pattern) for pattern in patterns if pattern not in linear]

    def match(self, text: str) -> bool:
        return self._linear.extract(text) is not None or any(pattern.search(text) for pattern in self._other)


def _public_list() -> list[str]:
    listed = (entry["pattern"] for entry in CRAWLER_USER_AGENTS_DATA)
    return [pattern for pattern in listed if pattern not in TOO_BROAD]


def _linear(pattern: str) -> bool:
    """Whether the linear-time engine takes the pattern: it knows no look-around and no back-reference."""
    try:
        UserAgentExtractor([(pattern, "match", None, None, None, None)])
    except ValueError:
        return False
    return True
