import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { IsEmail, validateSync } from 'class-validator';
import { declaredParameters, decodeParameters } from './declared-parameters';
import { json } from './json';
import { Parameter, PathParameter } from './parameter.decorator';
import { text } from './text';

class BaseDto {
  @Parameter(json.array(json.integer()), { default: [7] }) ids!: number[];
}

class SubscribeDto extends BaseDto {
  @PathParameter() stream_id!: number;
  @Parameter(text(), { aliases: ['subject'] }) topic!: string;
  @Parameter(json.boolean(), { optional: true }) muted?: boolean;
}

describe('a DTO with class-transformer and class-validator alone', () => {
  const read = (plain: object) => plainToInstance(SubscribeDto, plain, { excludeExtraneousValues: true });

  it('decodes', () => {
    const input = read({ stream_id: '5', subject: 'a', muted: 'true', extra: 1 });
    expect(input).toBeInstanceOf(SubscribeDto);
    expect(input).toEqual({ ids: [7], stream_id: 5, topic: 'a', muted: true });
    expect(validateSync(input)).toEqual([]);
  });

  it('reports every problem', () => {
    const errors = validateSync(read({ ids: '["x"]', stream_id: '5', muted: '1' }));
    expect(errors.map(({ property, constraints }) => [property, constraints?.['parameter']])).toEqual(
      expect.arrayContaining([
        ['ids', 'ids[0] is not an integer'],
        ['topic', "Missing 'topic' argument"],
        ['muted', 'muted is not a boolean'],
      ]),
    );
  });
});

it('keeps the order of declaration, base classes first', () => {
  expect(declaredParameters(SubscribeDto).map(({ property }) => property)).toEqual([
    'ids',
    'stream_id',
    'topic',
    'muted',
  ]);
});

it('tells the API description what it needs', () => {
  expect(declaredParameters(SubscribeDto)[0]).toMatchObject({
    inPath: false,
    required: false,
    fallback: [7],
    type: { jsonSchema: { type: 'array', items: { type: 'integer' } } },
  });
});

it('leaves absent optional parameters out of the instance', () => {
  const input = decodeParameters(SubscribeDto, new Map([['topic', 'a']]), { stream_id: '1' });
  expect(Object.keys(input)).toEqual(['ids', 'stream_id', 'topic']);
});

it('shares defaults that nobody can change', () => {
  const input = decodeParameters(BaseDto, new Map(), {});
  expect(() => input.ids.push(8)).toThrow(TypeError);
});

it('obeys rules of class-validator beside its own', () => {
  class AddressDto {
    @IsEmail({}, { message: 'Enter a valid email address.' })
    @Parameter(text())
    email!: string;
  }
  expect(() => decodeParameters(AddressDto, new Map([['email', 'x']]), {})).toThrow(
    expect.objectContaining({ message: 'Enter a valid email address.', code: 'BAD_REQUEST' }),
  );
  expect(() => decodeParameters(AddressDto, new Map(), {})).toThrow("Missing 'email' argument");
});

it('refuses a class that declares one name twice', () => {
  class RepeatingDto extends BaseDto {
    @Parameter(text(), { aliases: ['ids'] }) other!: string;
  }
  expect(() => declaredParameters(RepeatingDto)).toThrow("RepeatingDto declares the parameter 'ids' twice");
});
