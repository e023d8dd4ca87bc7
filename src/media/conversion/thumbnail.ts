/** The longer side of every thumbnail. */
export const thumbnailPixels = 96;
