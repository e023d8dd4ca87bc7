/** A number in eleven limbs of 24 bits, the lowest first. The highest limb has the sign, and may be larger. */
type Limbs = number[];

const limbCount = 11;
const top = limbCount - 1;
const limbBytes = 3;
const base = 2 ** 24;
/** The prime is 2^255 − 19, and 2^255 is this much of the highest limb. */
const topOfPrime = 2 ** 15;
/** 1 / 19 modulo 2^24. */
const inverseOf19 = 0x6bca1b;

/**
 * The Edwards form of the Montgomery point with this u, without the sign: y = (u − 1) / (u + 1) modulo 2^255 − 19, and 0 where u + 1 is 0. In limbs,
 * because BigInt takes three to five times as long, which is a fifth of the check of a signature.
 */
export function edwardsOf(montgomery: Uint8Array): Buffer {
  const u = read(montgomery);
  return write(quotient(reduced(plus(u, -1)), reduced(plus(u, 1))));
}

/**
 * The quotient modulo the prime, after D. Bernstein and B. Yang, "Fast constant-time gcd computation and modular inversion" (2019). `f` and `g` start as
 * the prime and the divisor, and end as ±1 and 0. Meanwhile f · dividend = d · divisor and g · dividend = e · divisor, modulo the prime.
 */
function quotient(dividend: Limbs, divisor: Limbs): Limbs {
  const f = plus(zero(), -19);
  f[top] = limb(f, top) + topOfPrime;
  const g = divisor.slice();
  const d = zero();
  const e = dividend.slice();
  let delta = 1;
  while (!g.every(isZero)) {
    // The lowest limbs decide what the next 24 steps are. Together these are a matrix, which is applied to the whole numbers.
    let lowF = limb(f, 0);
    let lowG = limb(g, 0);
    let ff = 1;
    let fg = 0;
    let gf = 0;
    let gg = 1;
    for (let step = 0; step < 24; step++) {
      if ((lowG & 1) === 1) {
        if (delta > 0) {
          delta = -delta;
          [lowF, lowG] = [lowG, -lowF | 0];
          [ff, gf] = [gf, -ff | 0];
          [fg, gg] = [gg, -fg | 0];
        }
        lowG = (lowG + lowF) | 0;
        gf = (gf + ff) | 0;
        gg = (gg + fg) | 0;
      }
      delta++;
      lowG >>= 1;
      ff <<= 1;
      fg <<= 1;
    }
    combine(f, g, ff, fg, gf, gg);
    combine(d, e, ff, fg, gf, gg);
  }
  return reduced(limb(f, top) < 0 ? d.map((part) => -part) : d);
}

/** x, y = (ff · x + fg · y) / 2^24, (gf · x + gg · y) / 2^24, after adding as much of the prime as makes them divisible. */
function combine(x: Limbs, y: Limbs, ff: number, fg: number, gf: number, gg: number): void {
  let sumX = ff * limb(x, 0) + fg * limb(y, 0);
  let sumY = gf * limb(x, 0) + gg * limb(y, 0);
  const primesX = primesFor(sumX);
  const primesY = primesFor(sumY);
  sumX = (sumX - 19 * primesX) / base;
  sumY = (sumY - 19 * primesY) / base;
  for (let place = 1; place < limbCount; place++) {
    const partX = limb(x, place);
    const partY = limb(y, place);
    sumX += ff * partX + fg * partY;
    sumY += gf * partX + gg * partY;
    if (place === top) {
      sumX += topOfPrime * primesX;
      sumY += topOfPrime * primesY;
    }
    const carryX = Math.floor(sumX / base);
    const carryY = Math.floor(sumY / base);
    x[place - 1] = sumX - carryX * base;
    y[place - 1] = sumY - carryY * base;
    sumX = carryX;
    sumY = carryY;
  }
  x[top] = sumX;
  y[top] = sumY;
}

/** How often the prime must be added to a number with this lowest limb so that 2^24 divides it. */
function primesFor(lowest: number): number {
  return Math.imul(lowest - Math.floor(lowest / base) * base, inverseOf19) & (base - 1);
}

/** The number modulo the prime, for one that is less than a thousand primes away from 0. */
function reduced(number: Limbs): Limbs {
  const below = withoutTop(withoutTop(number));
  const further = plus(below, 19);
  if (limb(further, top) < topOfPrime) return below;
  further[top] = limb(further, top) - topOfPrime;
  return further;
}

/** The same number modulo the prime, with 19 for each 2^255. */
function withoutTop(number: Limbs): Limbs {
  const times = Math.floor(limb(number, top) / topOfPrime);
  const rest = plus(number, 19 * times);
  rest[top] = limb(rest, top) - topOfPrime * times;
  return rest;
}

function plus(number: Limbs, summand: number): Limbs {
  const sum = zero();
  let carry = summand;
  for (let place = 0; place < top; place++) {
    const part = limb(number, place) + carry;
    carry = Math.floor(part / base);
    sum[place] = part - carry * base;
  }
  sum[top] = limb(number, top) + carry;
  return sum;
}

function read(bytes: Uint8Array): Limbs {
  const padded = Buffer.alloc(limbCount * limbBytes);
  padded.set(bytes);
  return zero().map((_, place) => padded.readUIntLE(place * limbBytes, limbBytes));
}

function write(number: Limbs): Buffer {
  const bytes = Buffer.alloc(limbCount * limbBytes);
  for (let place = 0; place < limbCount; place++) bytes.writeUIntLE(limb(number, place), place * limbBytes, limbBytes);
  return bytes.subarray(0, 32);
}

function zero(): Limbs {
  return [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
}

function isZero(part: number): boolean {
  return part === 0;
}

function limb(number: Limbs, place: number): number {
  return number[place] ?? 0;
}
