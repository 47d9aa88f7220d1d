import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import * as words from '../words';
import { Button } from './button';
import { Confirm } from './dialog';
import { announce } from './status';

interface ActionProperties {
  /** Label of the button. */
  readonly label: string;
  /** The question asked for confirmation. */
  readonly question: ComponentChildren;
  readonly isDangerous?: boolean;
  readonly run: () => Promise<unknown>;
}

/** A button that asks for confirmation. */
export function Action({ label, question, isDangerous, run }: ActionProperties) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>{label}</Button>
      {isAsking && (
        <Confirm
          title={label}
          action={label}
          isDangerous={isDangerous ?? false}
          onConfirm={async () => void (await run(), announce(words.done))}
          onClose={() => setAsking(false)}
        >
          <p>{question}</p>
        </Confirm>
      )}
    </>
  );
}
