/** The languages of what people read. API messages, logs and the command line are in English. */
export const languages = ['en', 'pt-BR', 'es', 'id'] as const;
export type Language = (typeof languages)[number];

/** A language as it is stored; null for none, and for one that this release does not know. */
export function storedLanguage(stored: string | null | undefined): Language | null {
  return languages.find((language) => language === stored) ?? null;
}

const longestHeader = 1_000;

/** The language of a browser's Accept-Language header, like `pt-PT, es;q=0.8`; null when it asks for none of ours. */
export function acceptedLanguage(header: string | undefined): Language | null {
  const asked = (header ?? '')
    .slice(0, longestHeader)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find((q) => q !== undefined);
      return { base: tag.split('-')[0], quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  for (const { base } of asked) {
    const language = languages.find((one) => one.toLowerCase().split('-')[0] === base);
    if (language !== undefined) return language;
  }
  return null;
}
