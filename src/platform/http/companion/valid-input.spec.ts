import { Transform } from 'class-transformer';
import { Allow, IsIn, IsInt, IsString } from 'class-validator';
import { UnprocessableEntity } from '../../errors/companion.errors';
import { Optional, validInput } from './valid-input';

const seen: unknown[] = [];

/** Records what class-transformer reads. */
const Noted = () =>
  Transform(({ value, obj }: { value: unknown; obj: unknown }) => {
    seen.push(value, obj);
    return value;
  });

class ThingDto {
  @Noted() @IsString() name!: string;
  @Optional() @IsIn(['owner', 'member']) role?: string;
  @Optional() @IsInt() age?: number;
  @Optional() @Allow() anything?: unknown;
}

function problemsOf(given: unknown): UnprocessableEntity['problems'] {
  try {
    validInput(ThingDto, given, 'body');
  } catch (error) {
    if (error instanceof UnprocessableEntity) return error.problems;
    throw error;
  }
  return [];
}

beforeEach(() => {
  seen.length = 0;
});

describe('what class-transformer reads', () => {
  it('is limited to declared keys', () => {
    expect(problemsOf({ other: 1, name: 'a', more: { deep: 1 } })).toHaveLength(2);
    expect(seen).toEqual(['a', { name: 'a' }]);
  });

  it.each([
    ['objects', { 0: 1, 1: { deep: 1 } }, {}],
    ['lists', [{ deep: 1 }, 'a'], []],
  ])('is nothing that %s hold', (_, value, emptied) => {
    const wrong = { name: value, role: value, age: value };
    expect(problemsOf(wrong).map(({ loc, type }) => [loc[1], type])).toEqual([
      ['name', 'string_type'],
      ['role', 'enum'],
      ['age', 'int_type'],
    ]);
    expect(seen).toEqual([emptied, { name: emptied, role: emptied, age: emptied }]);
  });
});

it.each([[[1]], [{ a: 1 }]])('refuses %j for a field that takes anything', (anything) => {
  expect(problemsOf({ name: 'a', anything: null })).toEqual([]);
  expect(problemsOf({ name: 'a', anything })).toEqual([
    { loc: ['body', 'anything'], msg: 'anything must be neither a list nor an object', type: 'value_error' },
  ]);
});
