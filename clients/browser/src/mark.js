/** The mark of a browser whose visits are not counted: all that this script ever stores. */

const MARK = 'footfall-ignore';

/** Whether this browser is marked; undefined for one that lets nothing be stored. */
export function ignored() {
  try {
    return !!localStorage[MARK];
  } catch {}
}

export const mark = () => {
  localStorage[MARK] = 1;
};

export const unmark = () => {
  delete localStorage[MARK];
};
