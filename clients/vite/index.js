/** Names the release of a build, uploads its source maps and marks the deploy (docs/clients/vite.md). */

import { apiKey, commit, KEY, read } from './lib/options.js';
import { Failure, Service } from './lib/service.js';

const CODE = /\.[cm]?js$/;
const WITH_MAP = /\.(?:[cm]?js|css)$/;
const TAG = /<script\b(?=[^>]*\sdata-site-id\b)(?![^>]*\sdata-release\b)/gi;
const ESCAPES = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

export default function footfall(given = {}) {
  const options = read(given);
  const files = [];
  let logger;
  let release;
  let written = false;

  return {
    name: 'footfall',
    apply: 'build',

    config({ root = process.cwd() }) {
      release = options.release ?? commit(root);
      return release === undefined ? undefined : { define: { 'import.meta.env.FOOTFALL_RELEASE': JSON.stringify(release) } };
    },

    configEnvironment(name, { consumer = name === 'client' ? 'client' : 'server' }) {
      // Without a comment in the code, browsers do not ask for a map.
      if (consumer === 'client' && !options.publishMaps) return { build: { sourcemap: 'hidden' } };
      return consumer === 'client' ? { build: { sourcemap: true } } : undefined;
    },

    applyToEnvironment: ({ config }) => config.consumer === 'client',

    configResolved(config) {
      logger = config.logger;
      if ([config.envPrefix ?? []].flat().some((prefix) => KEY.startsWith(prefix))) throw new Error(`envPrefix would put ${KEY} into the pages`);
    },

    transformIndexHtml: {
      order: 'post',
      handler: (html) => (release === undefined ? html : html.replace(TAG, (tag) => `${tag} data-release="${escaped(release)}"`)),
    },

    generateBundle: {
      order: 'post',
      handler(_output, bundle) {
        for (const [name, file] of Object.entries(bundle)) {
          const map = bundle[`${name}.map`];
          if (map === undefined || !WITH_MAP.test(name)) continue;
          if (CODE.test(name)) files.push({ name: named(name), code: content(file), map: content(map) });
          // What is not in the bundle is never written, also when the build is killed.
          if (!options.publishMaps) delete bundle[`${name}.map`];
        }
      },
    },

    writeBundle() {
      written = true;
    },

    async closeBundle() {
      const found = files.splice(0);
      if (!written || this.meta?.watchMode) return;
      written = false;
      try {
        logger.info(`footfall: ${await sent(found)}`);
      } catch (error) {
        const message = `footfall: ${error.message}`;
        if (options.strict) throw new Error(message);
        logger.warn(message);
      }
    },
  };

  function named(name) {
    const prefix = options.prefix.replace(/^\/+|\/+$/g, '');
    return prefix ? `${prefix}/${name}` : name;
  }

  /** Upload the files, mark the deploy, and return what was done. */
  async function sent(found) {
    const service = connected();
    const counts = { uploaded: 0, unchanged: 0 };
    const refused = [];
    for (const file of found) {
      const answer = await service.upload(release, file);
      if (answer.refused !== undefined) refused.push(`${file.name}: ${answer.refused}`);
      else counts[answer.stored ? 'uploaded' : 'unchanged'] += 1;
    }
    if (options.deploy !== false) await service.mark(release, options.deploy === true ? undefined : options.deploy);
    const done = `${counts.uploaded} source maps of ${release} uploaded, ${counts.unchanged} unchanged${options.deploy === false ? '' : ', deploy marked'}`;
    if (refused.length) throw new Failure(`${done}; refused: ${refused.join('; ')}`);
    return done;
  }

  function connected() {
    const key = apiKey();
    if (key === undefined) throw new Failure(`${KEY} is not set: no source map is uploaded, and no deploy marked`);
    for (const name of ['url', 'site']) if (options[name] === undefined) throw new Failure(`option '${name}' is missing: nothing is uploaded`);
    if (release === undefined) throw new Failure('the build has no release: set FOOTFALL_RELEASE, or build in a checkout of git');
    return new Service(options, key);
  }
}

const escaped = (text) => text.replace(/[&"<>]/g, (character) => ESCAPES[character]);
const content = (file) => (file.type === 'chunk' ? file.code : typeof file.source === 'string' ? file.source : Buffer.from(file.source).toString());
