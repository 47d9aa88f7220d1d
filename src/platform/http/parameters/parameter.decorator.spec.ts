import 'reflect-metadata';
import { json } from './json';
import { declaredParameters, Parameter, PathParameter } from './parameter.decorator';
import { decodeParameters } from './parameters.decorator';
import { text } from './text';

class BaseDto {
  @Parameter(json.array(json.integer()), { default: [7] }) ids!: number[];
}

class SubscribeDto extends BaseDto {
  @PathParameter() stream_id!: number;
  @Parameter(text(), { aliases: ['subject'] }) topic!: string;
  @Parameter(json.boolean(), { optional: true }) muted?: boolean;
}

it('keeps the order of declaration, base classes first', () => {
  expect(declaredParameters(SubscribeDto).map(({ property }) => property)).toEqual([
    'ids',
    'stream_id',
    'topic',
    'muted',
  ]);
});

it('provides the data for the API description', () => {
  expect(declaredParameters(SubscribeDto)[0]).toMatchObject({
    inPath: false,
    required: false,
    fallback: [7],
    type: { jsonSchema: { type: 'array', items: { type: 'integer' } } },
  });
});

it('omits absent optional parameters from the instance', () => {
  const input = decodeParameters(SubscribeDto, new Map([['topic', 'a']]), { stream_id: '1' });
  expect(Object.keys(input)).toEqual(['ids', 'stream_id', 'topic']);
});

it('shares immutable defaults', () => {
  const input = decodeParameters(BaseDto, new Map(), {}) as BaseDto;
  expect(() => input.ids.push(8)).toThrow(TypeError);
});

it('refuses a class that declares one name twice', () => {
  class RepeatingDto extends BaseDto {
    @Parameter(text(), { aliases: ['ids'] }) other!: string;
  }
  expect(() => declaredParameters(RepeatingDto)).toThrow("RepeatingDto declares the parameter 'ids' twice");
});
