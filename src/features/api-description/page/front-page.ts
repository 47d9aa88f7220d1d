import { markup, Html } from './html';
import { STYLE } from './style';

/** What people see who open the address of the server in a browser. It loads and runs nothing, as the other page. */
export const FRONT_PAGE = markup`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width,initial-scale=1" />
      <title>Parley</title>
      ${new Html(`<style>${STYLE}</style>`)}
    </head>
    <body>
      <main class="alone">
        <h1>Parley</h1>
        <p>This is the address of a team chat server, and it works. There is no chat to be seen in a browser, though.</p>
        <p>
          To take part, use a client for Zulip: it asks for this address, your e-mail address and your API key, or takes
          all three from a <code>zuliprc</code> file. Whoever runs this server gives you these.
        </p>
        <p>To write a program: <a href="/api/docs">what the interfaces can do</a>.</p>
      </main>
    </body>
  </html> `.text;
