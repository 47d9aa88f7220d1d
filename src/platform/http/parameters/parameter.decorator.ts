import { Expose, Transform } from 'class-transformer';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { declareParameter, decodeParameter, Refusal, type DeclaredParameter } from './declared-parameters';
import { ParameterProblem, type WireType } from './wire-type';

/** How a parameter is asked for. */
export interface ParameterOptions<T> {
  /** May be absent; the property is then absent too. */
  optional?: boolean;
  /** Stands in for an absent parameter. An array or object is frozen, as requests share it. */
  default?: T;
  /** Further names under which the parameter is accepted; two at once are refused. */
  aliases?: readonly string[];
}

/**
 * A parameter of the query string or the form. The one declaration that decoding, type check, messages,
 * ignored names and the API description follow from. It is made of class-transformer's `Expose` and
 * `Transform` and class-validator's `ValidateBy`, so the DTO stays usable with both libraries alone.
 */
export function Parameter<T>(type: WireType<T>, options: ParameterOptions<T> = {}): PropertyDecorator {
  const { optional = false, default: fallback, aliases = [] } = options;
  return (prototype, key) => {
    const property = String(key);
    declare(prototype, {
      property,
      names: [property, ...aliases],
      inPath: false,
      required: !optional && fallback === undefined,
      fallback: Object.freeze(fallback),
      type,
    });
  };
}

/** Values as class-transformer is given them. */
type Texts = Readonly<Record<string, string | undefined>>;

/** Path digits that no column could hold stand for this ID, which no row reaches. */
const IMPOSSIBLE_ID = 2 ** 31 - 1;

const pathId: WireType<number> = {
  jsonSchema: { type: 'integer', minimum: 0 },
  decode(text, at) {
    if (!/^\d+$/.test(text)) {
      throw new ParameterProblem(`${at} is not an integer`);
    }
    return Math.min(Number(text), IMPOSSIBLE_ID);
  },
};

/** A parameter of the path, named like its property: digits, unless another type is given. */
export function PathParameter(type: WireType<unknown> = pathId): PropertyDecorator {
  return (prototype, key) => {
    const property = String(key);
    const names = [property];
    declare(prototype, { property, names, inPath: true, required: true, fallback: undefined, type });
  };
}

function declare(prototype: object, parameter: DeclaredParameter): void {
  const { property } = parameter;
  declareParameter(prototype, parameter);
  Expose()(prototype, property);
  Transform(({ obj }) => decodeParameter(parameter, (name) => (obj as Texts)[name]), { toClassOnly: true })(
    prototype,
    property,
  );
  ValidateBy({
    name: 'parameter',
    validator: {
      validate: (value: unknown) => !(value instanceof Refusal),
      defaultMessage: (args?: ValidationArguments) => (args?.value as Refusal).error.message,
    },
  })(prototype, property);
}
