import './start';
import { render } from 'preact';
import { effect } from '@preact/signals';
import { epoch } from './connection/state';
import { Frame } from './frame';

/** How long to wait for the state before drawing an empty frame. */
const PATIENCE_MS = 150;

const begun = new Promise<void>((resolve) => effect(() => void (epoch.value > 0 && resolve())));
const tired = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS));

// Until the state arrives there is only an empty frame to show, which would flicker if replaced at once.
void Promise.race([begun, tired]).then(() => render(<Frame />, document.body));
