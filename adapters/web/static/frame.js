// A page in a frame tells the page around it how high it is: `embed.js` gives the frame that height.

const tell = () => parent.postMessage({ footfall: { height: Math.ceil(document.documentElement.getBoundingClientRect().height) } }, '*');

if (parent !== window) {
  new ResizeObserver(tell).observe(document.documentElement);
  // That script may have come later than this page.
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data?.footfall === 'height') tell();
  });
}
