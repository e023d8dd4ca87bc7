/** A text with things in the places of its tags, like `<who/> changed the plan <target/>`: the text and the things in turn. */
export function filled<Part>(text: string, parts: Readonly<Record<string, Part>>): (string | Part)[] {
  return text.split(/<(\w+)\/>/).flatMap((piece, place) => {
    // Every other piece is the name of a tag.
    const part = place % 2 === 1 ? parts[piece] : piece;
    return part === undefined ? [] : [part];
  });
}
