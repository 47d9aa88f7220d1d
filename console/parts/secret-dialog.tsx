import { CopyButton } from './copy-button';
import { Dialog } from './dialog';

interface SecretDialogProperties {
  readonly title: string;
  readonly about: string;
  /** Labels and texts to copy. */
  readonly texts: readonly (readonly [label: string, text: string])[];
  readonly onClose: () => void;
}

/** Shows a new secret, the only time that it can be seen. */
export function SecretDialog({ title, about, texts, onClose }: SecretDialogProperties) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{about}</p>
      {texts.map(([label, text]) => (
        <section key={label}>
          <h3>{label}</h3>
          <pre class="code" tabIndex={0} role="region" aria-label={label}>
            {text}
          </pre>
          <CopyButton text={text} />
        </section>
      ))}
    </Dialog>
  );
}
