import { render } from 'preact';
import { stayLive } from './connection/live';
import { askEarly } from './conversations/asking';
import { Frame } from './frame';
import { pageOf } from './parts/narrow-link';
import { followLinks, navigate } from './router';

followLinks();
// Links of other clients lead to the bare address, which leads here and keeps what follows.
navigate(pageOf(location.hash) ?? location.pathname + location.search, { replace: true });
void stayLive();
askEarly();
render(<Frame />, document.body);
