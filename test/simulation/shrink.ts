import { type Plan, partsOf, without } from './plan.ts';

/**
 * Leaves out as many parts of a failing plan as it can without that it stops failing. Returns the parts that were left out, which together with
 * the seed repeat the failure.
 */
export async function shrink(plan: Plan, fails: (plan: Plan) => Promise<boolean>): Promise<ReadonlySet<number>> {
  let left: ReadonlySet<number> = new Set();
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (let part = 0; part < partsOf(plan); part++) {
      if (left.has(part)) continue;
      const fewer = new Set(left).add(part);
      if (await fails(without(plan, fewer))) left = fewer;
    }
  }
  return left;
}
