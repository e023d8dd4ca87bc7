import classes from './cards.module.css';

/** The streets of the drawn map; they exist nowhere. */
export function NeutralMap() {
  return (
    <svg viewBox="0 0 240 120" preserveAspectRatio="xMidYMid slice" aria-hidden="true" className={classes.streets}>
      <path className={classes.park} d="M0 0h70l-18 46L0 58zM168 74l72-16v62h-90z" />
      <path className={classes.water} d="M240 0h-58c-6 18 4 26 22 30 16 4 28 2 36-4z" />
      <path className={classes.minor} d="M0 90l240-54M38 0l34 120M96 0l30 120M206 24l-30 96M0 24l120-26M84 120l156-30" />
      <path className={classes.major} d="M-6 66C50 58 96 66 128 60s70-24 118-22M146-4c-14 40-14 84 6 128" />
    </svg>
  );
}
