import type { Plugin } from 'vite';

export interface Options {
  /** The address of the service; `FOOTFALL_URL` by default. */
  url?: string;
  /** The site, by its number or its text id; `FOOTFALL_SITE` by default. */
  site?: string | number;
  /** The release that the pages name; `FOOTFALL_RELEASE` by default, or else the commit of the checkout. */
  release?: string;
  /** Put before the names of files, as in their addresses. */
  prefix?: string;
  /** Whether the deploy is marked, or the text of its mark; true by default. */
  deploy?: boolean | string;
  /** Whether the source maps are written beside the code, and so are public; false by default. */
  publishMaps?: boolean;
  /** Whether a failing upload or mark fails the build; false by default. */
  strict?: boolean;
  /** Seconds that all requests may take; 120 by default. */
  timeout?: number;
}

/**
 * Names the release of a build, uploads its source maps and marks the deploy (docs/errors/vite.md).
 *
 * The API key is that of the environment, `FOOTFALL_API_KEY`; without one nothing is sent.
 *
 * @throws TypeError an option does not exist or is invalid; the message names it.
 */
export default function footfall(options?: Options): Plugin;
