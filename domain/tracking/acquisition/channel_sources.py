"""Sources of visitors: known sites, apps and campaign names, each with its kind.

A word with a dot is a host; it stands for its sub-domains too, unless they are listed themselves. A word
without one is what people write into `utm_source`. A host that ends in `.*` stands for that name in all
countries.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum


class SourceKind(StrEnum):
    """The kind of a source, independent of whether the visit was paid for."""

    SEARCH = "search"
    SOCIAL = "social"
    VIDEO = "video"
    SHOPPING = "shopping"
    AI = "ai"
    EMAIL = "email"
    SMS = "sms"
    PUSH = "push"
    AUDIO = "audio"
    AFFILIATE = "affiliate"
    DISPLAY = "display"
    # Not a source of any kind, though its parent domain is one: a document on Google's servers is no search.
    NONE = "none"


COUNTRIES = """
ac ad ae al am as at az ba be bf bg bi bj bs bt by ca cat cc cd cf cg ch ci cl cm cn co co.ao co.bw co.ck
co.cr co.id co.il co.in co.jp co.ke co.kr co.ls co.ma co.mz co.nz co.th co.tz co.ug co.uk co.uz co.ve co.vi
co.za co.zm co.zw com com.af com.ag com.ai com.ar com.au com.bd com.bh com.bn com.bo com.br com.by com.bz
com.co com.cu com.cy com.do com.ec com.eg com.et com.fj com.ge com.gh com.gi com.gr com.gt com.hk com.jm
com.kh com.kw com.lb com.lc com.ly com.mm com.mt com.mx com.my com.na com.nf com.ng com.ni com.np com.om
com.pa com.pe com.pg com.ph com.pk com.pl com.pr com.py com.qa com.ru com.sa com.sb com.sg com.sl com.sv
com.tj com.tn com.tr com.tw com.ua com.uy com.vc com.vn cv cz de dj dk dm dz ee es eu fi fm fr ga gd ge gf
gg gl gm gp gr gy hk hn hr ht hu id ie im in io iq is it it.ao je jo jp ke kg ki kz la li lk lt lu lv md me
mg mk ml mn ms mu mv mw mx ne ng nl no nr nu nz ph pl pn ps pt ro rs ru rw sc se sg sh si sk sm sn so sr st
td tg tk tl tm tn to tt ua uk us vg vn vu ws
"""

SOURCES: Mapping[SourceKind, str] = {
    SourceKind.SEARCH: """
        google.* bing.com yahoo.com yahoo.co.jp yandex.* ya.ru baidu.com duckduckgo.com ecosia.org qwant.com
        startpage.com search.brave.com swisscows.com mojeek.com kagi.com ask.com aol.com search.aol.co.uk
        dogpile.com lycos.com excite.com excite.co.jp webcrawler.com metacrawler.com info.com gigablast.com
        metager.org metager.de naver.com daum.net nate.com seznam.cz zoznam.sk so.com sogou.com sm.cn
        haosou.com 360.cn youdao.com nova.rambler.ru go.mail.ru sputnik.ru arianna.libero.it
        search.t-online.de suche.t-online.de suche.web.de suche.gmx.net suche.gmx.at fireball.de
        szukaj.wp.pl bol.uol.com.br coccoc.com petalsearch.com lilo.org ekoru.org oceanhero.today givero.com
        presearch.com presearch.org gibiru.com searchencrypt.com searx.be searx.me searxng.org 4get.ca
        marginalia.nu wiby.me stract.com yep.com boardreader.com wolframalpha.com search.avast.com
        search.avg.com search.norton.com search.mcafee.com search.xfinity.com search.comcast.net
        search.incredimail.com search.conduit.com search.babylon.com search.mywebsearch.com mysearch.com
        myway.com trovi.com search.alot.com search.sky.com search.virginmedia.com lemoteur.orange.fr
        voila.fr search.ch 1881.no eniro.se krak.dk jubii.dk sesam.no najdi.si onlinesearch.com zapmeta.com
        izito.com entireweb.com exalead.com yippy.com alltheinternet.com searchalot.com infospace.com
        sweetsearch.com kiddle.co kidrex.org ghosterysearch.com startsiden.no kvasir.no seekport.com
        youcare.world gexsi.com karma-search.com freespoke.com luxxle.com tusksearch.com
        com.google.android.googlequicksearchbox com.microsoft.bing com.duckduckgo.mobile.android
        com.ecosia.android search.nifty.com search.biglobe.ne.jp search.goo.ne.jp so.toutiao.com
        ricerca.virgilio.it search.tiscali.it szukaj.onet.pl pesquisa.sapo.pt busca.uol.com.br
        buscador.terra.com.br search.avira.com search.bluewin.ch search.walla.co.il search.rediff.com
        search.centrum.cz search.zum.com
        google googlesearch google_search bing yahoo yandex baidu duckduckgo ddg ecosia qwant startpage
        brave naver daum seznam sogou adwords googleads bingads microsoft msn petal kagi
    """,
    SourceKind.SOCIAL: """
        facebook.com facebook.net fb.com fb.me fb.watch messenger.com m.me instagram.com ig.me threads.net
        threads.com twitter.com x.com t.co nitter.net linkedin.com lnkd.in reddit.com redd.it pinterest.*
        pin.it tumblr.com t.umblr.com snapchat.com whatsapp.com wa.me whatsapp.net telegram.org t.me
        telegram.me discord.com discord.gg discordapp.com slack.com mastodon.social mastodon.online
        mstdn.social mastodon.world mas.to fosstodon.org hachyderm.io infosec.exchange mstdn.jp pawoo.net
        chaos.social mastodon.cloud mamot.fr piaille.fr bsky.app bsky.social lemmy.world lemmy.ml beehaw.org
        kbin.social misskey.io pixelfed.social diaspora.social vk.com vk.ru vkontakte.ru vk.cc ok.ru
        odnoklassniki.ru my.mail.ru weibo.com weibo.cn t.cn qzone.qq.com weixin.qq.com wechat.com douban.com
        zhihu.com xiaohongshu.com xhslink.com tieba.baidu.com kuaishou.com line.me lin.ee kakao.com band.us
        cafe.naver.com blog.naver.com cafe.daum.net hatena.ne.jp mixi.jp ameblo.jp ameba.jp note.com zalo.me
        news.ycombinator.com lobste.rs slashdot.org digg.com stumbleupon.com mix.com flipboard.com
        medium.com quora.com stackoverflow.com stackexchange.com serverfault.com superuser.com askubuntu.com
        indiehackers.com producthunt.com dev.to hashnode.com disqus.com livejournal.com xing.com viadeo.com
        nextdoor.com meetup.com goodreads.com letterboxd.com last.fm deviantart.com behance.net dribbble.com
        flickr.com 500px.com imgur.com 9gag.com ifunny.co foursquare.com swarmapp.com badoo.com tagged.com
        myspace.com friendster.com hi5.com plurk.com gab.com gettr.com parler.com truthsocial.com minds.com
        mewe.com clubhouse.com bereal.com taringa.net skyrock.com wykop.pl draugiem.lv nk.pl hyves.nl
        studivz.net tuenti.com orkut.com orkut.google.com plus.google.com plus.url.google.com
        groups.google.com blogger.com ravelry.com researchgate.net academia.edu glassdoor.com yammer.com
        teams.microsoft.com web.skype.com viber.com signal.org signal.me linktr.ee lnk.bio beacons.ai
        bio.link carrd.co buffer.com hootsuite.com ow.ly buff.ly threema.ch steamcommunity.com
        com.facebook.katana com.facebook.orca com.facebook.lite com.instagram.android
        com.instagram.barcelona com.twitter.android com.linkedin.android com.reddit.frontpage com.pinterest
        com.snapchat.android com.whatsapp org.telegram.messenger com.discord com.slack com.tumblr
        com.vkontakte.android com.tencent.mm com.laurencedawson.reddit_sync xyz.blueskyweb.app
        slack-redir.net
        facebook fb meta instagram ig threads twitter x linkedin reddit pinterest tumblr snapchat snap
        whatsapp telegram discord slack mastodon fediverse bluesky bsky lemmy vk vkontakte odnoklassniki
        weibo wechat weixin xiaohongshu douban zhihu line kakao kakaotalk zalo viber hackernews hacker_news
        hn producthunt indiehackers medium quora xing nextdoor flipboard truthsocial social socialmedia
        social_media linktree
    """,
    SourceKind.VIDEO: """
        youtube.* youtu.be youtube-nocookie.com m.youtube.com tiktok.com tiktokv.com tiktok.org douyin.com
        vimeo.com dailymotion.com dai.ly twitch.tv kick.com rumble.com odysee.com bitchute.com bilibili.com
        b23.tv bilibili.tv youku.com iqiyi.com ixigua.com nicovideo.jp nico.ms rutube.ru vkvideo.ru
        netflix.com hulu.com disneyplus.com hbomax.com max.com primevideo.com peacocktv.com
        paramountplus.com crunchyroll.com tubitv.com pluto.tv plex.tv wistia.com wistia.net brightcove.com
        loom.com streamable.com peertube.tv framatube.org joinpeertube.org veoh.com metacafe.com ted.com
        likee.video triller.co afreecatv.com sooplive.co.kr tv.naver.com chzzk.naver.com v.qq.com
        com.google.android.youtube com.zhiliaoapp.musically com.ss.android.ugc.trill tv.twitch.android.app
        youtube yt tiktok tik_tok douyin vimeo dailymotion twitch rumble bilibili niconico rutube netflix
        wistia
    """,
    SourceKind.SHOPPING: """
        amazon.* amzn.to amzn.com a.co ebay.* ebay.us etsy.com walmart.com walmart.ca walmart.com.mx
        target.com bestbuy.com costco.com homedepot.com lowes.com wayfair.com aliexpress.com aliexpress.ru
        aliexpress.us alibaba.com 1688.com taobao.com tmall.com jd.com jd.hk pinduoduo.com temu.com
        shein.com dhgate.com banggood.com wish.com rakuten.com rakuten.co.jp shopping.yahoo.co.jp zozo.jp
        mercari.com mercari.jp coupang.com gmarket.co.kr 11st.co.kr shopping.naver.com smartstore.naver.com
        flipkart.com myntra.com meesho.com snapdeal.com indiamart.com shopee.* lazada.* tokopedia.com
        bukalapak.com blibli.com tiki.vn mercadolibre.* mercadolivre.com.br mercadolibre.com
        magazineluiza.com.br americanas.com.br submarino.com.br casasbahia.com.br shoptime.com.br allegro.pl
        ceneo.pl emag.ro emag.hu emag.bg bol.com coolblue.nl otto.de zalando.* idealo.* check24.de
        billiger.de geizhals.at geizhals.de guenstiger.de preisvergleich.de kaufland.de mediamarkt.de
        saturn.de cdiscount.com fnac.com darty.com leboncoin.fr rueducommerce.fr leguide.com trovaprezzi.it
        subito.it kelkoo.* pricerunner.* pricespy.co.uk pricespy.co.nz prisjakt.nu prisjakt.no hintaopas.fi
        heureka.cz heureka.sk zbozi.cz arukereso.hu compari.ro skroutz.gr argos.co.uk currys.co.uk
        johnlewis.com asos.com vinted.* depop.com poshmark.com stockx.com grailed.com gumtree.com
        gumtree.com.au wildberries.ru ozon.ru market.yandex.ru avito.ru rozetka.com.ua prom.ua olx.*
        hepsiburada.com trendyol.com n11.com noon.com jumia.* takealot.com newegg.com shop.app
        shopping.google.com shopzilla.com shopping.com pricegrabber.com nextag.com bizrate.com become.com
        slickdeals.net camelcamelcamel.com pricewatch.com igshopping.com offerup.com craigslist.org
        com.amazon.mshop.android.shopping com.ebay.mobile com.alibaba.aliexpresshd com.etsy.android
        amazon ebay etsy walmart aliexpress alibaba taobao tmall jd temu shein shopee lazada mercadolibre
        mercadolivre flipkart rakuten zalando allegro idealo kelkoo pricerunner shopzilla shopping
        googleshopping google_shopping merchant shopify igshopping skroutz heureka wildberries ozon trendyol
    """,
    SourceKind.AI: """
        chatgpt.com openai.com claude.ai anthropic.com gemini.google.com bard.google.com
        notebooklm.google.com notebooklm.google aistudio.google.com copilot.microsoft.com copilot.com
        m365.cloud.microsoft copilot.cloud.microsoft edgeservices.bing.com perplexity.ai pplx.ai
        deepseek.com grok.com x.ai meta.ai mistral.ai poe.com you.com phind.com duck.ai pi.ai inflection.ai
        character.ai c.ai coral.cohere.com kimi.com moonshot.cn moonshot.ai doubao.com cici.com qwen.ai
        qwenlm.ai tongyi.com tongyi.aliyun.com yiyan.baidu.com ernie.baidu.com chat.baidu.com
        yuanbao.tencent.com chatglm.cn z.ai zhipuai.cn minimax.io hailuoai.com metaso.cn genspark.ai
        manus.im felo.ai iask.ai andisearch.com komo.ai consensus.app elicit.com scite.ai devv.ai liner.com
        monica.im sider.ai merlin.ai getmerlin.in venice.ai lumo.proton.me gigachat.ru giga.chat
        alice.yandex.ru wrtn.ai cue.search.naver.com clova-x.naver.com openrouter.ai groq.com t3.chat
        lmarena.ai chat.lmsys.org nova.amazon.com blackbox.ai com.openai.chatgpt com.anthropic.claude
        ai.perplexity.app.android com.google.android.apps.bard com.microsoft.copilot com.deepseek.chat
        ai.x.grok
        chatgpt openai gpt claude anthropic gemini bard notebooklm copilot perplexity pplx deepseek grok
        mistral lechat poe phind kimi doubao qwen metaai meta_ai
    """,
    SourceKind.EMAIL: """
        mail.google.com gmail.com inbox.google.com mail.yahoo.com mail.yahoo.co.jp outlook.com
        outlook.live.com outlook.office.com outlook.office365.com outlook.cloud.microsoft hotmail.com
        mail.live.com mail.aol.com webmail.aol.com protonmail.com proton.me tutanota.com tuta.com
        fastmail.com hey.com icloud.com mail.zoho.com mail.zoho.eu mail.yandex.ru mail.yandex.com e.mail.ru
        touch.mail.ru light.mail.ru mail.rambler.ru email.seznam.cz mail.centrum.cz post.cz mail.qq.com
        mail.163.com mail.126.com mail.sina.com.cn mail.aliyun.com mail.naver.com mail.daum.net
        mail.nate.com gmx.net gmx.at gmx.ch gmx.de web.de email.t-online.de freenet.de posteo.de mailbox.org
        messagerie.orange.fr mail.orange.fr webmail.free.fr laposte.net webmail.sfr.fr poczta.onet.pl
        poczta.wp.pl poczta.interia.pl mail.libero.it mail.virgilio.it mail.tiscali.it webmail.bluewin.ch
        mail.ukr.net superhuman.com sparkmailapp.com mail.missiveapp.com front.com webmail.comcast.net
        connect.xfinity.com mail.cox.net webmail.earthlink.net mail.att.net campaign-archive.com mailchi.mp
        list-manage.com createsend.com cmail19.com cmail20.com sendgrid.net sendibm1.com mailerlite.com
        convertkit.com klclick.com klclick1.com hubspotlinks.com hs-sites.com substack.com beehiiv.com
        buttondown.com buttondown.email tinyletter.com revue.email mailjet.com mlsend.com rsgsv.net exct.net
        rs6.net activehosted.com getresponse.com com.google.android.gm com.microsoft.office.outlook
        com.yahoo.mobile.client.android.mail ch.protonmail.android customer.io deref-gmx.net deref-web.de
        deref-mail.com
        email e-mail e_mail mail newsletter newsletters mailing mailinglist gmail outlook mailchimp sendgrid
        sendinblue brevo klaviyo hubspot activecampaign convertkit mailerlite mailjet campaignmonitor
        constantcontact getresponse customerio sendy listmonk substack beehiiv buttondown marketo eloqua
        pardot drip omnisend iterable braze digest transactional
    """,
    SourceKind.SMS: """
        messages.google.com messages.android.com com.google.android.apps.messaging
        com.samsung.android.messaging
        sms mms rcs imessage twilio attentive postscript textmessage text_message
    """,
    SourceKind.PUSH: """
        onesignal.com pushengage.com webpushr.com pushwoosh.com
        push pushnotification push_notification webpush web_push onesignal firebase fcm pushengage pushwoosh
        notification notifications
    """,
    SourceKind.AUDIO: """
        spotify.com spotify.link music.apple.com podcasts.apple.com itunes.apple.com podcasts.google.com
        music.youtube.com music.amazon.com music.amazon.de music.amazon.co.uk soundcloud.com bandcamp.com
        deezer.com tidal.com pandora.com iheart.com audible.com audible.de audible.co.uk stitcher.com
        overcast.fm pocketcasts.com pca.st castbox.fm podbean.com anchor.fm castro.fm player.fm
        podchaser.com buzzsprout.com transistor.fm simplecast.com megaphone.fm acast.com libsyn.com
        spreaker.com ivoox.com tunein.com mixcloud.com audiomack.com jiosaavn.com gaana.com music.163.com
        y.qq.com ximalaya.com podigee.com podcastaddict.com antennapod.org qobuz.com boomplay.com
        anghami.com com.spotify.music com.apple.android.music
        spotify podcast podcasts applepodcasts apple_podcasts soundcloud deezer tidal pandora audible
        overcast pocketcasts acast audio radio
    """,
    SourceKind.AFFILIATE: """
        awin.com awin1.com shareasale.com cj.com anrdoezrs.net dpbolvw.net jdoqocy.com kqzyfj.com
        tkqlhce.com linksynergy.com rakutenadvertising.com impact.com sjv.io pxf.io partnerize.com prf.hn
        tradedoubler.com tradetracker.net zanox.com webgains.com effiliation.com affilae.com skimlinks.com
        go.skimresources.com go.redirectingat.com viglink.com sovrn.com digidip.net flexoffers.com
        clickbank.net admitad.com belboon.com financeads.net adcell.de daisycon.io ds1.nl tapfiliate.com
        refersion.com partnerstack.com dub.sh involve.asia accesstrade.net a8.net valuecommerce.com
        affiliate affiliates affiliation awin shareasale cj impact_radius partnerize tradedoubler
        tradetracker zanox webgains admitad clickbank skimlinks viglink partnerstack refersion
    """,
    SourceKind.DISPLAY: """
        doubleclick.net googlesyndication.com googleadservices.com 2mdn.net syndicatedsearch.goog adnxs.com
        adform.net criteo.com criteo.net taboola.com outbrain.com paid.outbrain.com plista.com mgid.com
        revcontent.com teads.tv adroll.com rubiconproject.com pubmatic.com openx.net casalemedia.com
        bidswitch.net adsrvr.org amazon-adsystem.com yieldmo.com zedo.com serving-sys.com flashtalking.com
        smartadserver.com adition.com carbonads.net carbonads.com buysellads.com ethicalads.io
        propellerads.com exoclick.com popads.net adcolony.com applovin.com unityads.unity3d.com
        taboola outbrain criteo adroll mgid teads doubleclick dv360 thetradedesk gdn carbon carbonads
        buysellads ethicalads display banner
    """,
    SourceKind.NONE: """
        docs.google.com drive.google.com sites.google.com classroom.google.com meet.google.com
        calendar.google.com accounts.google.com play.google.com translate.google.com
        translate.googleusercontent.com chat.google.com keep.google.com news.google.com maps.google.com
        earth.google.com cloud.google.com analytics.google.com ads.google.com adssettings.google.com
        tagassistant.google.com search.google.com optimize.google.com developers.google.com
        support.google.com workspace.google.com photos.google.com books.google.com scholar.google.com
        firebase.google.com looker.google.com lookerstudio.google.com colab.research.google.com
        finance.yahoo.com news.yahoo.com sports.yahoo.com login.yahoo.com webmaster.yandex.ru
        metrika.yandex.ru disk.yandex.ru translate.yandex.ru maps.yandex.ru cloud.yandex.ru
        passport.yandex.ru pan.baidu.com map.baidu.com fanyi.baidu.com baike.baidu.com zhidao.baidu.com
        cloud.mail.ru login.naver.com map.naver.com developers.facebook.com business.facebook.com
        aws.amazon.com sellercentral.amazon.com pay.amazon.com advertising.amazon.com admin.shopify.com
        accounts.shopify.com api.slack.com platform.openai.com help.openai.com console.anthropic.com
        docs.anthropic.com
    """,
}


def _expanded(words: str) -> Iterator[str]:
    for word in words.split():
        if word.endswith(".*"):
            yield from (word[:-1] + country for country in COUNTRIES.split())
        else:
            yield word


_WORDS = {word: kind for kind, words in SOURCES.items() for word in _expanded(words)}
HOSTS: Mapping[str, SourceKind] = {word: kind for word, kind in _WORDS.items() if "." in word}
NAMES: Mapping[str, SourceKind] = {word: kind for word, kind in _WORDS.items() if "." not in word}
