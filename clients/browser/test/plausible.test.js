/** The script on pages that were made for Plausible: its tag, the names of its files, and the function that pages call. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, scriptOf } from './page.js';

const ENDPOINT = 'https://desk.example.org/api/track';
const page = (file = 'script.js', more = '', others = {}) =>
  load({ file: 'plausible.js', src: `js/${file}`, attributes: 'data-domain="example.com"', more, ...others });
const said = ({ type, pathname, event_name, properties }) => [type, pathname, event_name, properties && JSON.parse(properties)];
const click = (window, target, options = {}) => target.dispatchEvent(new window.MouseEvent('click', { bubbles: true, cancelable: true, ...options }));

test('a page is counted by the tag of Plausible', async () => {
  const { sent, asked, parts, warnings } = await page();
  const [{ target, site_id, type, hostname, pathname, querystring, referrer, properties }, ...others] = sent;
  assert.deepEqual(
    [target, site_id, type, hostname, pathname, querystring, referrer, properties],
    [ENDPOINT, 'example.com', 'pageview', 'example.com', '/shop', 'a=1', 'https://search.example/', undefined],
  );
  assert.deepEqual([others, asked, warnings], [[], [`${ENDPOINT}/example.com`], []]);
  assert.deepEqual(parts, [`${ENDPOINT}/activity.js`]);
});

test('the endpoint stands beside that of Plausible', async () => {
  for (const [api, endpoint] of [
    ['https://other.example.org/api/event', 'https://other.example.org/api/track'],
    ['/stats/api/event', 'https://desk.example.org/stats/api/track'],
    ['/parcel', 'https://desk.example.org/parcel'],
  ]) {
    assert.equal((await page('script.js', `data-api="${api}"`)).sent[0].target, endpoint);
  }
});

test('the tag is found by its id, and by its domain', async () => {
  const { sent } = await page('script.compat.js', 'id="plausible"');
  assert.equal(sent.length, 1);
});

test('window.plausible takes a name with properties, revenue and an address, also from before the script', async () => {
  const stub = 'window.plausible = function () { (plausible.q = plausible.q || []).push(arguments) }; plausible("early", { props: { a: 1 } })';
  const { window, sent, settle } = await page('script.js', '', { before: stub });
  const { plausible } = window;
  plausible('sign up');
  plausible('buy', { props: { plan: 'pro' }, revenue: { amount: 0, currency: 'EUR' }, interactive: false });
  plausible('old', { meta: { plan: 'free' } });
  plausible('there', { u: 'https://example.com/own?b=2#c' });
  plausible('pageview', { u: () => '/next?c=3', props: { author: 'Ann' } });
  plausible('later');
  plausible(404, { props: { path: '/none' } });
  plausible('Outbound Link: Click', { props: { url: 'https://example.org/' } });
  plausible('File Download', { props: { url: '/a.pdf' } });
  await settle();
  assert.deepEqual(sent.map(said), [
    ['pageview', '/shop', undefined, undefined],
    ['custom_event', '/shop', 'early', { a: 1 }],
    ['custom_event', '/shop', 'sign up', undefined],
    ['custom_event', '/shop', 'buy', { plan: 'pro', revenue: 0, currency: 'EUR' }],
    ['custom_event', '/shop', 'old', { plan: 'free' }],
    ['custom_event', '/own', 'there', undefined],
    ['pageview', '/next', undefined, { author: 'Ann' }],
    ['custom_event', '/next', 'later', undefined],
    ['custom_event', '/next', '404', { path: '/none' }],
    ['outbound', '/next', undefined, { url: 'https://example.org/' }],
    ['custom_event', '/next', 'File Download', { url: '/a.pdf' }],
  ]);
  assert.deepEqual([sent[5].querystring, sent[6].querystring], ['b=2', 'c=3']);
});

test('a callback is called once the browser has the event, and a call that fails does not reach the page', async () => {
  const { window, settle, warnings } = await page();
  const called = [];
  window.plausible('go', { callback: (result) => called.push(result) });
  window.plausible('bad', { u: 'https://[' });
  await settle();
  assert.deepEqual(called.map(({ status }) => status), [202]);
  assert.equal(warnings.length, 1);
});

test('manual pages count themselves', async () => {
  const { window, sent, settle } = await page('script.manual.js');
  assert.deepEqual(sent, []);
  window.plausible('pageview');
  window.plausible('pageview', { u: 'https://example.com/step' });
  await settle();
  assert.deepEqual(sent.map(({ pathname, querystring }) => [pathname, querystring]), [['/shop', 'a=1'], ['/step', '']]);
});

test('the part after the # belongs to the path with its extension alone', async () => {
  for (const [file, path] of [['script.hash.js', '/shop#/cart'], ['script.js', '/shop']]) {
    const { sent } = await page(file, '', { url: 'https://example.com/shop#/cart?b=1' });
    assert.equal(sent[0].pathname, path);
  }
});

test('attributes of the tag are properties of all events with their extension alone', async () => {
  for (const [file, properties] of [['script.pageview-props.js', { author: 'Ann', 'logged-in': 'yes' }], ['script.js', undefined]]) {
    const { window, sent, settle } = await page(file, 'event-author="Ann" event-logged-in="yes"');
    window.plausible('buy', { props: { author: 'Bob' } });
    await settle();
    assert.deepEqual(said(sent[0])[3], properties);
    assert.deepEqual(said(sent[1])[3], { ...properties, author: 'Bob' });
  }
});

const LINKS = `<a id="away" href="https://example.org/there">There</a><a id="file" href="/list.pdf">List</a>
  <a id="other" href="https://example.org/list.zip">Zip</a><a id="odd" href="/part.step">Part</a>`;

test('outbound links and downloads are tracked with their extensions alone', async () => {
  for (const [file, more, expected] of [
    ['script.js', '', []],
    ['script.outbound-links.js', '', ['https://example.org/there', 'https://example.org/list.zip']],
    ['script.file-downloads.js', '', ['https://example.com/list.pdf', 'https://example.org/list.zip']],
    ['script.file-downloads.outbound-links.js', '', ['https://example.org/there', 'https://example.com/list.pdf', 'https://example.org/list.zip']],
    ['script.file-downloads.js', 'file-types="step, stl"', ['https://example.com/part.step']],
    ['script.file-downloads.js', 'add-file-types="step"', ['https://example.com/list.pdf', 'https://example.org/list.zip', 'https://example.com/part.step']],
  ]) {
    const { window, document, sent, settle, warnings } = await page(file, more, { body: LINKS, config: { trackOutbound: true, downloads: 'pdf|zip' } });
    window.document.addEventListener('click', (event) => event.preventDefault());
    for (const id of ['away', 'file', 'other', 'odd']) click(window, document.getElementById(id));
    await settle();
    const clicks = sent.filter(({ type }) => type === 'outbound').map((event) => said(event)[3].url);
    assert.deepEqual([clicks, warnings], [expected, []], file + more);
  }
});

test('classes name events with their extension alone', async () => {
  const body = `<div class="plausible-event-name=Buy+now plausible-event-plan=pro plausible-revenue-amount=9.5 plausible-revenue-currency=EUR"><p><b id="deep">x</b></p></div>
    <a id="link" class="plausible-event-name--Read" href="/more">More</a>
    <form class="plausible-event-name=Ask plausible-event-topic=a+b"><input id="field"><button id="button" type="button">Go</button></form>`;
  for (const [file, expected] of [
    ['script.js', []],
    ['script.tagged-events.revenue.js', [
      ['Buy now', { plan: 'pro', revenue: '9.5', currency: 'EUR' }],
      ['Read', { url: 'https://example.com/more' }],
      ['Ask', { topic: 'a b' }],
    ]],
  ]) {
    const { window, document, sent, settle } = await page(file, '', { body });
    window.document.addEventListener('click', (event) => event.preventDefault());
    for (const id of ['deep', 'link', 'button', 'field']) click(window, document.getElementById(id));
    document.querySelector('form').dispatchEvent(new window.Event('submit', { bubbles: true, cancelable: true }));
    await settle();
    assert.deepEqual(sent.slice(1).map((event) => said(event).slice(2)), expected);
  }
});

test('pages are left out and let in with their extension alone', async () => {
  for (const [file, more, path, count] of [
    ['script.exclusions.js', 'data-exclude="/admin/*, /blog/**/edit"', '/admin/a', 0],
    ['script.exclusions.js', 'data-exclude="/admin/*, /blog/**/edit"', '/admin/a/b', 1],
    ['script.exclusions.js', 'data-exclude="/admin/*, /blog/**/edit"', '/blog/a/b/edit/', 0],
    ['script.exclusions.js', 'data-exclude="/a.b"', '/axb', 1],
    ['script.exclusions.js', 'data-include="/docs/**"', '/shop', 0],
    ['script.exclusions.js', 'data-include="/docs/**"', '/docs/a/b', 1],
    ['script.exclusions.js', 'data-include="/docs/**" data-exclude="/docs/*"', '/docs/a', 0],
    ['script.js', 'data-exclude="/**"', '/shop', 1],
  ]) {
    const { window, sent, settle } = await page(file, more, { url: `https://example.com${path}` });
    window.plausible('event');
    await settle();
    assert.equal(sent.filter(({ type }) => type === 'pageview').length, count, `${more} ${path}`);
    assert.equal(sent.filter(({ type }) => type === 'custom_event').length, 1);
  }
});

test('a page with several domains sends to each', async () => {
  const { window, sent, settle } = await load({ file: 'plausible.js', src: 'js/script.js', attributes: 'data-domain="example.com, rollup.example"' });
  window.plausible('buy', { props: { plan: 'pro' } });
  await settle();
  assert.deepEqual(sent.map(({ site_id, type }) => [site_id, type]).sort(), [
    ['example.com', 'custom_event'], ['example.com', 'pageview'], ['rollup.example', 'custom_event'], ['rollup.example', 'pageview'],
  ]);
  assert.deepEqual(sent.filter(({ type }) => type === 'custom_event').map((event) => said(event)[3]), [{ plan: 'pro' }, { plan: 'pro' }]);
});

test('a browser that is not to be counted, and one on this machine, send nothing', async () => {
  const ignored = await page('script.js', '', { before: 'localStorage.plausible_ignore = "true"' });
  const local = await page('script.js', '', { url: 'http://localhost/shop' });
  for (const { window, sent, settle } of [ignored, local]) {
    window.plausible('event');
    await settle();
    assert.deepEqual(sent, []);
  }
  assert.equal((await page('script.local.js', '', { url: 'http://localhost/shop' })).sent.length, 1);
});

// The newest tag, as Plausible gives it to sites.
const STUB = `window.plausible=window.plausible||function(){(plausible.q=plausible.q||[]).push(arguments)},plausible.init=plausible.init||function(i){plausible.o=i||{}};`;
const newest = (init, others = {}) =>
  load({ file: 'plausible.js', src: 'js/pa-gYy_x-1.js', attributes: 'async', before: `${STUB} plausible("early", { props: { a: 1 } }); plausible.init(${init})`, ...others });

test('the newest tag names its site by its file, and begins when the page says so', async () => {
  const early = await newest('');
  const late = await newest('', { before: '' });
  assert.deepEqual(late.sent, []);
  late.window.plausible('early', { props: { a: 1 } });
  await late.settle();
  assert.deepEqual([late.sent, late.asked], [[], []]);
  late.window.eval(`${STUB} plausible.init()`);
  await late.settle();
  for (const { window, sent, asked, settle, warnings } of [early, late]) {
    window.plausible.init({ hashBasedRouting: true });
    window.plausible('buy', { revenue: { amount: '9.50', currency: 'eur' } });
    await settle();
    assert.deepEqual([...new Set(sent.map(({ target, site_id }) => target + ' ' + site_id))], [`${ENDPOINT} pa-gYy_x-1`]);
    assert.deepEqual(sent.map(said), [
      ['pageview', '/shop', undefined, undefined],
      ['custom_event', '/shop', 'early', { a: 1 }],
      ['custom_event', '/shop', 'buy', { revenue: '9.50', currency: 'EUR' }],
    ]);
    assert.deepEqual([asked, warnings], [[`${ENDPOINT}/pa-gYy_x-1`], []]);
  }
});

test('a script that is there twice counts once, and one that a proxy named otherwise is of the site of the page', async () => {
  const { window, sent, settle } = await newest('', { src: 'js/script.js' });
  window.document.querySelector('script').id = 'plausible';
  window.eval(scriptOf('plausible.js'));
  window.plausible.init();
  await settle();
  assert.ok(window.plausible.l);
  assert.deepEqual(sent.map(({ site_id }) => site_id), ['example.com', 'example.com']);
});

test('the newest tag is found where an optimizer has loaded the script', async () => {
  const { window, document, sent, settle } = await newest('', { src: 'js/pa-other.js', before: `window.plausible = { l: 1 }` });
  delete window.plausible;
  document.querySelector('script').src = 'https://desk.example.org/js/pa-gYy_x-1.js';
  window.eval(scriptOf('plausible.js'));
  window.plausible.init();
  await settle();
  assert.deepEqual(sent.map(({ site_id }) => site_id), ['pa-gYy_x-1']);
});

test('the options of init() are respected', async () => {
  const hash = await newest('{ hashBasedRouting: true }', { url: 'https://example.com/shop#/cart?b=1' });
  assert.equal(hash.sent[0].pathname, '/shop#/cart');
  const manual = await newest('{ autoCapturePageviews: false }');
  assert.deepEqual(manual.sent.map(({ type }) => type), ['custom_event']);
  const called = [];
  const local = await newest('', { url: 'http://localhost/shop' });
  local.window.plausible('go', { callback: (result) => called.push(result) });
  await local.settle();
  assert.deepEqual([local.sent, called], [[], [undefined]]);
  assert.equal((await newest('{ captureOnLocalhost: true }', { url: 'http://localhost/shop' })).sent.length, 2);
  const proxied = await newest('{ endpoint: "https://example.com/stats/api/event" }');
  assert.equal(proxied.sent[0].target, 'https://example.com/stats/api/track');
  const props = await newest('{ customProperties: { author: "Ann" }, bindToWindow: false, logging: false }');
  assert.deepEqual(props.sent.map((event) => said(event)[3]), [{ author: 'Ann' }, { author: 'Ann', a: 1 }]);
  const named = await newest('{ customProperties: (name) => ({ name }) }');
  assert.deepEqual(named.sent.map((event) => said(event)[3]), [{ name: 'pageview' }, { name: 'early', a: 1 }]);
});

test('outbound links and downloads of the newest tag are those of the settings, unless init() says otherwise', async () => {
  for (const [init, expected] of [
    ['', ['https://example.org/there', 'https://example.com/list.pdf', 'https://example.org/list.zip']],
    ['{ outboundLinks: true, fileDownloads: true }', ['https://example.org/there', 'https://example.com/list.pdf', 'https://example.org/list.zip']],
    ['{ outboundLinks: false }', ['https://example.com/list.pdf', 'https://example.org/list.zip']],
    ['{ outboundLinks: false, fileDownloads: { fileExtensions: ["step", "stl"] } }', ['https://example.com/part.step']],
    ['{ outboundLinks: false, fileDownloads: { fileExtensions: [] } }', []],
    ['{ fileDownloads: false }', ['https://example.org/there', 'https://example.org/list.zip']],
  ]) {
    const { window, document, sent, settle, warnings } = await newest(init, { body: LINKS, config: { trackOutbound: true, downloads: 'pdf|zip' } });
    window.document.addEventListener('click', (event) => event.preventDefault());
    for (const id of ['away', 'file', 'other', 'odd']) click(window, document.getElementById(id));
    await settle();
    const clicks = sent.filter(({ type }) => type === 'outbound').map((event) => said(event)[3].url);
    assert.deepEqual([clicks, warnings], [expected, []], init);
  }
});

test('forms that are submitted are events with their option, those that are tagged under their own names in any case', async () => {
  const body = `<form id="plain"><input></form><form id="bad"><input required></form><form id="free" novalidate><input required></form>
    <form id="tagged" class="plausible-event-name=Ask"></form>`;
  for (const [init, expected] of [['', ['Ask']], ['{ formSubmissions: true }', ['Form: Submission', 'Form: Submission', 'Ask']]]) {
    const { window, document, sent, settle } = await newest(init, { body });
    for (const id of ['plain', 'bad', 'free', 'tagged']) {
      document.getElementById(id).dispatchEvent(new window.Event('submit', { bubbles: true, cancelable: true }));
    }
    await settle();
    assert.deepEqual(sent.slice(2).map(({ event_name }) => event_name), expected, init);
  }
});

test('transformRequest sees events as Plausible would send them, changes them, and leaves them out', async () => {
  const before = `${STUB} window.seen = []; plausible.init({ hashBasedRouting: true, customProperties: { author: 'Ann' }, transformRequest(payload) {
    seen.push({ ...payload });
    if (payload.n == 'none') return null;
    if (payload.n == 'step') return { ...payload, n: 'pageview', u: 'https://example.com/step' };
    if (payload.n == 'pageview') payload.n = 'View';
    return { ...payload, u: payload.u.replace(/cart|secret/g, 'x'), d: 'other', r: '', p: { ...payload.p, b: 2 } };
  } })`;
  const { window, document, sent, settle, warnings } = await newest('', { before, body: LINKS, url: 'https://example.com/shop?a=secret#/cart' });
  window.document.addEventListener('click', (event) => event.preventDefault());
  window.plausible('none');
  window.plausible('step');
  window.plausible('buy', { props: { plan: 'pro' }, revenue: { amount: 5, currency: 'usd' } });
  click(window, document.getElementById('away'));
  await settle();
  const shop = 'https://example.com/shop?a=secret#/cart';
  const common = { u: shop, d: 'pa-gYy_x-1', r: 'https://search.example/', h: 1 };
  assert.deepEqual(JSON.parse(JSON.stringify(window.seen)), [
    { n: 'pageview', ...common, p: { author: 'Ann' } },
    { n: 'none', ...common, p: { author: 'Ann' } },
    { n: 'step', ...common, p: { author: 'Ann' } },
    { n: 'buy', ...common, p: { author: 'Ann', plan: 'pro' }, $: { amount: 5, currency: 'USD' } },
    { n: 'Outbound Link: Click', ...common, p: { author: 'Ann', url: 'https://example.org/there', text: 'There', target: '' } },
  ]);
  assert.deepEqual(sent.map(said), [
    ['custom_event', '/shop#/x', 'View', { author: 'Ann', b: 2 }],
    ['pageview', '/step', undefined, { author: 'Ann' }],
    ['custom_event', '/shop#/x', 'buy', { author: 'Ann', plan: 'pro', b: 2, revenue: 5, currency: 'USD' }],
    ['outbound', '/shop#/x', undefined, { author: 'Ann', url: 'https://example.org/there', text: 'There', target: '', b: 2 }],
  ]);
  assert.deepEqual(sent.map(({ site_id, querystring, referrer }) => [site_id, querystring, referrer]), [
    ['other', 'a=x', ''], ['pa-gYy_x-1', '', 'https://search.example/'], ['other', 'a=x', ''], ['other', 'a=x', ''],
  ]);
  assert.deepEqual(warnings, []);
});
