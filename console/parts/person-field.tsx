import { people } from '../connection/state';
import * as words from '../words';
import { SelectField } from './field';

interface PersonFieldProperties {
  readonly label: string;
  /** The ID of a user; empty for everyone. */
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** Chooses one person or bot, or everyone. */
export function PersonField({ label, value, onValue }: PersonFieldProperties) {
  const choices = [...people.value.values()]
    .map(({ user_id: id, full_name: name }) => ({ value: String(id), label: name }))
    .sort((one, other) => one.label.localeCompare(other.label));
  return (
    <SelectField
      {...{ label, value, onValue }}
      choices={[{ value: '', label: words.people.all }, ...choices]}
    />
  );
}
