/** Names the release of a build, uploads its source maps and marks the deploy (docs/errors/vite.md). */

import { apiKey, commit, KEY, keepKeyOutOfPages, read } from './lib/options.js';
import { Failure, Service } from './lib/service.js';

const CODE = /\.[cm]?js$/;
const MOST_NAMED = 5;
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
      keepKeyOutOfPages(config);
    },

    transformIndexHtml: {
      order: 'post',
      handler: (html) => (release === undefined ? html : html.replace(TAG, (tag) => `${tag} data-release="${escaped(release)}"`)),
    },

    // Options of an output are above those of the build.
    outputOptions: {
      order: 'post',
      handler: (output) => ({ ...output, sourcemap: options.publishMaps ? true : 'hidden' }),
    },

    generateBundle: {
      order: 'post',
      handler(_output, bundle) {
        for (const [name, file] of Object.entries(bundle)) {
          const map = bundle[file.sourcemapFileName || `${name}.map`];
          if (map !== undefined && (file.type === 'chunk' || CODE.test(name))) files.push({ name: named(name), code: content(file), map: content(map) });
        }
        if (options.publishMaps) return;
        // What is not in the bundle is never written, also when the build is killed.
        for (const [name, file] of Object.entries(bundle)) if (isSourceMap(name, file)) delete bundle[name];
      },
    },

    writeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        written = true;
      },
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
    const marks = options.deploy !== false;
    try {
      for (const file of found) {
        const answer = await service.upload(release, file);
        if (answer.refused !== undefined) refused.push(`${file.name}: ${answer.refused}`);
        else counts[answer.stored ? 'uploaded' : 'unchanged'] += 1;
      }
      if (marks) await service.mark(release, options.deploy === true ? undefined : options.deploy);
    } catch (error) {
      const there = counts.uploaded + counts.unchanged;
      throw new Failure(`${error.message}; ${there} of ${found.length} source maps of ${release} are there${marks ? ', no deploy marked' : ''}`);
    }
    const done = `${counts.uploaded} source maps of ${release} uploaded, ${counts.unchanged} unchanged${marks ? ', deploy marked' : ''}`;
    if (refused.length) throw new Failure(`${done}; refused: ${listed(refused)}`);
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
const listed = (texts) => `${texts.slice(0, MOST_NAMED).join('; ')}${texts.length > MOST_NAMED ? `, and ${texts.length - MOST_NAMED} more` : ''}`;
// A file that the application imports by a name with this ending is none.
const isSourceMap = (name, file) => name.endsWith('.map') && !file.originalFileNames?.length && content(file).includes('"mappings"');
const content = (file) => (file.type === 'chunk' ? file.code : typeof file.source === 'string' ? file.source : Buffer.from(file.source).toString());
