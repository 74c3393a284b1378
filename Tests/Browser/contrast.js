// Every text in sight whose colour stands out from what lies behind it by less than WCAG 2.2 asks for (AA:
// 4.5 to 1, or 3 to 1 where it is large). The value of the last expression is the list.
(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const channels = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => [r, g, b].map((each) => each / 255)
    .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
    .reduce((sum, each, index) => sum + each * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (node) => {
    for (let each = node; each; each = each.parentElement) {
      const colour = channels(getComputedStyle(each).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const findings = [];
  for (const node of document.querySelectorAll('body *')) {
    const text = [...node.childNodes].filter((each) => each.nodeType === 3).map((each) => each.data.trim()).join('');
    if (!text || ['SCRIPT', 'STYLE', 'NOSCRIPT', 'title', 'OPTION'].includes(node.tagName) || !node.checkVisibility()) continue;
    const style = getComputedStyle(node);
    const isDrawn = node instanceof SVGElement;
    const paper = isDrawn ? [behind(node.closest('div')), channels(getComputedStyle(document.documentElement).getPropertyValue('--band'))] : [behind(node)];
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    for (const each of paper) {
      const [light, dark] = [luminance(channels(isDrawn ? style.fill : style.color)), luminance(each)].sort((a, b) => b - a);
      const ratio = (light + 0.05) / (dark + 0.05);
      if (ratio < least) findings.push(`${text.slice(0, 40)}: ${ratio.toFixed(2)}`);
    }
  }
  return findings;
})()
