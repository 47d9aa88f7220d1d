import { ParameterProblem } from '../../errors/request.errors';
import { composedName, forbiddenPlace } from '../../names/visible-name';
import { checkText, textSchema, type TextRules } from './text';
import type { WireType } from './wire-type';

/** A name in its one form, of which everything is seen. */
export function visibleName(rules: Pick<TextRules, 'notBlank' | 'maxLength'>): WireType<string> {
  return {
    jsonSchema: textSchema(rules),
    decode(raw, at) {
      const name = checkText(composedName(raw), at, rules);
      const position = forbiddenPlace(name);
      if (position > 0) throw new ParameterProblem(`Invalid character in ${at}, at position ${position}.`);
      return name;
    },
  };
}
