import './start';
import { render } from 'preact';
import { effect } from '@preact/signals';
import { epoch } from './connection/state';
import { Frame } from './frame';

/** What is shown for no longer than this is not worth drawing. */
const PATIENCE_MS = 150;

const begun = new Promise<void>((resolve) => effect(() => void (epoch.value > 0 && resolve())));
const tired = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS));

// Without the state there is an empty frame to show, which would only be in the way of what replaces it at once.
void Promise.race([begun, tired]).then(() => render(<Frame />, document.body));
