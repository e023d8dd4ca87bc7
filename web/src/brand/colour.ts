type Rgb = readonly [red: number, green: number, blue: number];

const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];

function rgbOf(colour: string): Rgb {
  const number = Number.parseInt(colour.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

function hexOf(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** The colour with so much of another in it, 0 to 1. */
function mixed([red, green, blue]: Rgb, [otherRed, otherGreen, otherBlue]: Rgb, share: number): Rgb {
  const mix = (one: number, other: number) => one + (other - one) * share;
  return [mix(red, otherRed), mix(green, otherGreen), mix(blue, otherBlue)];
}

/** How bright it is (WCAG 2, relative luminance). */
function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** How well one colour can be told from another: 1 not at all, 21 black on white (WCAG 2). */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(rgbOf(one)), luminance(rgbOf(other))].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The colour, made darker on a light ground or lighter on a dark one until small text in it can be read. */
export function readable(colour: string, ground: string, least = 4.6): string {
  const towards = luminance(rgbOf(ground)) > 0.18 ? black : white;
  for (let share = 0; share < 1; share += 0.04) {
    const tried = hexOf(mixed(rgbOf(colour), towards, share));
    if (contrast(tried, ground) >= least) return tried;
  }
  return hexOf(towards);
}

export function tinted(colour: string, towards: 'white' | 'black', share: number): string {
  return hexOf(mixed(rgbOf(colour), towards === 'white' ? white : black, share));
}

/** What a tint of the colour looks like on a ground. */
export function over(colour: string, ground: string, share: number): string {
  return hexOf(mixed(rgbOf(ground), rgbOf(colour), share));
}
