import fc from 'fast-check';
import { MalformedCbor, readCbor, readCborMap } from './cbor';

const read = (hex: string) => readCbor(Buffer.from(hex, 'hex')).item;

describe('CBOR', () => {
  it.each<[string, unknown]>([
    ['00', 0],
    ['17', 23],
    ['1818', 24],
    ['1903e8', 1000],
    ['1a000f4240', 1_000_000],
    ['20', -1],
    ['3903e7', -1000],
    ['390100', -257],
    ['4401020304', Buffer.from([1, 2, 3, 4])],
    ['6449455446', 'IETF'],
    ['83010203', [1, 2, 3]],
    ['f4', false],
    ['f5', true],
    ['f6', null],
  ])('reads %s of the standard', (hex, value) => {
    expect(read(hex)).toEqual(value);
  });

  it('reads maps, and returns the end of an item', () => {
    expect(read('a201020326')).toEqual(
      new Map([
        [1, 2],
        [3, -7],
      ]),
    );
    expect(readCbor(Buffer.from('ff0102', 'hex'), 1)).toEqual({ item: 1, end: 2 });
    expect(readCborMap(Buffer.from('a0', 'hex'))).toEqual(new Map());
  });

  it.each([
    ['nothing', ''],
    ['a text that is cut off', '6449'],
    ['a length that is cut off', '5a0000'],
    ['a huge text of bytes', '5affffffff'],
    ['a huge list', '9affffffff'],
    ['a huge map', 'baffffffff'],
    ['numbers of 64 bits', '1bffffffffffffffff'],
    ['an indefinite text', '5f4101ff'],
    ['an indefinite map', 'bf0102ff'],
    ['a longer form than needed', '1801'],
    ['a longer form of a length', '580101'],
    ['a tag', 'c001'],
    ['a fraction', 'f93c00'],
    ['undefined', 'f7'],
    ['a key twice', 'a201020102'],
    ['a list as a key', 'a18001'],
    ['lists in lists', '818181818180'],
  ])('refuses %s', (_what, hex) => {
    expect(() => read(hex)).toThrow(MalformedCbor);
  });

  it('refuses anything but one map', () => {
    for (const hex of ['a000', '80', '01']) {
      expect(() => readCborMap(Buffer.from(hex, 'hex'))).toThrow(MalformedCbor);
    }
  });

  it('reads or refuses any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          expect(readCbor(Buffer.from(bytes)).end).toBeLessThanOrEqual(bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedCbor);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
