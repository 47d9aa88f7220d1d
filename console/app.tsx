import { render } from 'preact';
import { stayLive } from './connection/live';
import { Frame } from './frame';
import { followLinks } from './router';

followLinks();
render(<Frame />, document.body);
void stayLive();
