import { ParameterProblem } from '../../errors/request.errors';
import { json } from './json';
import type { WireType } from './json-type';

/** How clients are told of a value that is none of those to choose from, behind the name of the parameter. */
export const NOT_LISTED = 'Value error, Not in the list of possible values';

/** A number that stands for one of several choices, refused in these words. */
export function listedNumber(values: readonly number[]): WireType<number> {
  const integer = json.integer();
  return {
    jsonSchema: { type: 'integer', enum: values },
    decode(raw, at) {
      const value = integer.decode(raw, at);
      if (!values.includes(value)) throw new ParameterProblem(`Invalid ${at}: ${NOT_LISTED}`);
      return value;
    },
  };
}
