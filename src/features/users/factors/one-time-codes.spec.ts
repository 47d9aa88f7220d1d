import { codeAt, newSeed, seedAddress, stepOf } from './one-time-codes';

/** From RFC 6238, appendix B: the digits 1 to 9 and 0, twice. */
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('One-time codes', () => {
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1234567890, '005924'],
    [20000000000, '353130'],
  ])('are those of the standard at %i', (seconds, code) => {
    expect(codeAt(SEED, Math.floor(seconds / 30))).toBe(code);
    expect(stepOf(SEED, code, seconds)).toBe(Math.floor(seconds / 30));
  });

  it('are valid one step before and after, and no further', () => {
    const code = codeAt(SEED, 100);
    const at = (step: number) => stepOf(SEED, code, step * 30);
    expect([98, 99, 100, 101, 102].map(at)).toEqual([null, 100, 100, 100, null]);
  });

  it('use seeds of 160 bits', () => {
    expect(newSeed()).toMatch(/^[A-Z2-7]{32}$/);
    expect(seedAddress(SEED, { issuer: 'A & B', account: 'a@b.example' })).toBe(
      `otpauth://totp/A%20%26%20B:a%40b.example?secret=${SEED}&issuer=A%20%26%20B&algorithm=SHA1&digits=6&period=30`,
    );
  });
});
