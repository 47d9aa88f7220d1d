import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import * as words from '../words';
import { Button } from './button';
import { Confirm } from './dialog';
import { announce } from './status';

interface ActionProperties {
  /** What the button says. */
  readonly label: string;
  /** What is asked before it is done. */
  readonly question: ComponentChildren;
  readonly isDangerous?: boolean;
  readonly run: () => Promise<unknown>;
}

/** A button that asks before it does something. */
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
