import { type ReactNode, useMemo } from 'react';
import { WebLink } from '../message/web-link.tsx';
import classes from './formatted-text.module.css';
import { type Piece, parseFormatting } from './parse.ts';

/** A message's text with its formatting. Whatever else it holds is shown as it was written. */
export function FormattedText({ text }: { readonly text: string }) {
  const pieces = useMemo(() => parseFormatting(text), [text]);
  return (
    <div className={classes.text} dir="auto">
      {drawn(pieces)}
    </div>
  );
}

function drawn(pieces: readonly Piece[]): ReactNode {
  // The pieces of a text never change places.
  // biome-ignore lint/suspicious/noArrayIndexKey: for the reason above.
  return pieces.map((piece, index) => <Drawn key={index} piece={piece} />);
}

function Drawn({ piece }: { readonly piece: Piece }) {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'link':
      return <WebLink url={piece.url}>{piece.url}</WebLink>;
    case 'bold':
      return <strong>{drawn(piece.inside)}</strong>;
    case 'italic':
      return <em>{drawn(piece.inside)}</em>;
    case 'strike':
      return <s>{drawn(piece.inside)}</s>;
    case 'mono':
      return <code className={classes.mono}>{drawn(piece.inside)}</code>;
  }
}
