import { companion } from '../connection/call';
import { isOwner } from '../connection/state';
import { SelectField } from '../parts/field';
import { announce } from '../parts/status';
import { useFetched, useTask } from '../parts/task';
import { organization, ownersOnly, saved } from '../words';

const words = organization.factors;
const PATH = 'auth/second-factor-policy';

interface Policy {
  readonly required_of: string;
}

/** Who must use a second factor. */
export function FactorRequirement() {
  const { value, error, reload } = useFetched(() => companion<Policy>('GET', PATH), []);
  const task = useTask();
  const change = (of: string) =>
    void task
      .run(async () => {
        await companion('PATCH', PATH, { required_of: of });
        announce(saved);
      })
      .then(reload);
  return (
    <section>
      <h2>{words.title}</h2>
      <p class="about">{words.about}</p>
      <SelectField
        label={words.label}
        hint={isOwner.value ? undefined : ownersOnly}
        error={task.error || error || undefined}
        disabled={!isOwner.value || task.isBusy || value === null}
        value={value?.required_of ?? 'nobody'}
        choices={Object.entries(words.choices).map(([choice, label]) => ({ value: choice, label }))}
        onValue={change}
      />
    </section>
  );
}
