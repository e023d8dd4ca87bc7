/** What was used, of whatever and whenever. */
export interface Used {
  readonly sends: number;
  /** Accepted sends by message type; types without any are absent. */
  readonly byType: Readonly<Record<string, number>>;
  /** Different phone numbers seen connected, for every day anew. */
  readonly numberDays: number;
}

/** As the portal's endpoints tell it. */
export const usedView = ({ sends, byType, numberDays }: Used) => ({ sends, by_type: byType, number_days: numberDays });

/** What was used while it is being added up. */
export class Tally implements Used {
  sends = 0;
  readonly byType: Record<string, number> = {};
  numberDays = 0;

  /** Sends of a type; a negative number takes them off. */
  addSends(type: string, n: number): void {
    const count = (this.byType[type] ?? 0) + n;
    this.sends += n;
    if (count === 0) delete this.byType[type];
    else this.byType[type] = count;
  }

  addNumberDays(n: number): void {
    this.numberDays += n;
  }

  add({ byType, numberDays }: Used): void {
    for (const [type, n] of Object.entries(byType)) this.addSends(type, n);
    this.addNumberDays(numberDays);
  }

  get empty(): boolean {
    return this.sends === 0 && this.numberDays === 0;
  }
}

/** The sum of several. */
export function addUp(parts: readonly Used[]): Used {
  const sum = new Tally();
  for (const part of parts) sum.add(part);
  const { sends, byType, numberDays } = sum;
  return { sends, byType, numberDays };
}
