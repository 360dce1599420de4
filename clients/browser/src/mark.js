/** The mark of a browser whose visits are not counted: all that this script ever stores. */

export const MARK = 'footfall-ignore';

// An objection holds on this page also where the browser stores no mark.
let isHere = false;

/** Whether this browser is marked; undefined for one that lets nothing be stored. */
export function ignored() {
  try {
    return !!(isHere || localStorage[MARK]);
  } catch {}
}

/** Mark this browser, or this page alone where nothing can be stored, which throws. @param {() => void} marked */
export const mark = (marked) => {
  isHere = true;
  marked();
  localStorage[MARK] = 1;
  // From here on the mark says so, which another page may take away.
  isHere = false;
};

export const unmark = () => {
  // What could not be stored need not be taken away, and cannot.
  if (!isHere) delete localStorage[MARK];
  isHere = false;
};
