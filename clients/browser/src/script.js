/** The script of a tracked page. */

import { warn } from './guard.js';
import { publish } from './publish.js';

publish().catch(warn);
