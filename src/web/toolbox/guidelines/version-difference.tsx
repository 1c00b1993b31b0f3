import { linesOf, type Piece, textDifference } from '#web/ui/text-difference.ts';
import classes from './version-difference.module.css';

/** Unchanged lines shown around a change, for orientation. */
const linesAround = 2;

/** The changed lines between two versions. */
export function VersionDifference({ before, after }: { before: string; after: string }) {
  const pieces = textDifference(before, after, linesOf);
  let at = 0;
  const children = [];
  for (let index = 0; index < pieces.length; index++) {
    const [piece, next] = [pieces[index]!, pieces[index + 1]];
    at += 1;
    if (piece.kind === 'same') {
      children.push(<Unchanged key={at} text={piece.text} first={index === 0} last={index === pieces.length - 1} />);
    } else if (piece.kind === 'gone' && next?.kind === 'new') {
      // Rewritten lines are compared by word.
      children.push(...textDifference(piece.text, next.text).map((word, place) => shown(word, `${at} ${place}`)));
      index += 1;
    } else children.push(shown(piece, String(at)));
  }
  if (pieces.every(({ kind }) => kind === 'same')) return <p className={classes.none}>The texts are the same.</p>;
  return <p className={classes.difference}>{children}</p>;
}

function shown({ kind, text }: Piece, key: string) {
  if (kind === 'same') return <span key={key}>{text}</span>;
  return kind === 'gone' ? <del key={key}>{text}</del> : <ins key={key}>{text}</ins>;
}

function Unchanged({ text, first, last }: { text: string; first: boolean; last: boolean }) {
  const lines = linesOf(text);
  const head = first ? 0 : linesAround;
  const tail = last ? 0 : linesAround;
  const hidden = lines.length - head - tail;
  if (hidden <= 1) return <span>{text}</span>;
  return (
    <>
      <span>{lines.slice(0, head).join('')}</span>
      <span className={classes.hidden}>{hidden} unchanged lines</span>
      <span>{tail > 0 ? lines.slice(-tail).join('') : ''}</span>
    </>
  );
}
