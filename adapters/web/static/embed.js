// Gives the frames of a page that show a dashboard the height of their content (docs/read/dashboard.md#embedding).
(() => {
  const service = new URL(document.currentScript.src).origin;
  const frames = () => [...document.querySelectorAll('iframe')];
  // Where the page counts the edges of a box into its height, those of the frame come on top of its content.
  const edges = (frame) => {
    const style = getComputedStyle(frame);
    if (style.boxSizing !== 'border-box') return 0;
    return ['borderTopWidth', 'borderBottomWidth', 'paddingTop', 'paddingBottom'].reduce((sum, edge) => sum + parseFloat(style[edge]), 0);
  };
  addEventListener('message', ({ origin, source, data }) => {
    const height = data && data.footfall && data.footfall.height;
    if (origin !== service || !(height > 0)) return;
    for (const frame of frames()) if (frame.contentWindow === source) frame.style.height = `${height + edges(frame)}px`;
  });
  // A frame may have been there before this script. One that is not loaded yet is of no origin, and hears nothing.
  for (const frame of frames()) if (frame.src.startsWith(`${service}/`)) frame.contentWindow.postMessage({ footfall: 'height' }, '*');
})();
