import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { security as words } from './words';

/** A dialog with recovery codes, which are shown only once. */
export function RecoveryCodes({
  codes,
  onKept,
}: {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}) {
  const text = codes.join('\n');
  return (
    <>
      <p>{words.codesAbout}</p>
      <pre class="code" tabIndex={0} role="region" aria-label={words.codesTitle}>
        {text}
      </pre>
      <div class="actions">
        <CopyButton text={text} />
        <Button kind="main" onClick={onKept}>
          {words.kept}
        </Button>
      </div>
    </>
  );
}
