import { addCaller } from './caller';
import { make } from './elements';
import { fieldOf, inputsOf, type Operation, requestOf } from './operation';
import { addSearch } from './search';

/** Maximum length of a displayed response, in characters. */
const SHOWN_LENGTH = 200_000;

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const articles = [...document.querySelectorAll<HTMLElement>('main article[data-method]')];
const send = addCaller();
let description: Promise<Description> | undefined;

addSearch(articles);
articles.forEach(addAttempt);

/** Adds the button that opens an operation's form, which is created when first opened. */
function addAttempt(article: HTMLElement): void {
  const { method = '', path = '' } = article.dataset;
  const button = make('button', { type: 'button', className: 'try', textContent: 'Try it' });
  button.ariaExpanded = 'false';
  button.ariaLabel = `Try it: ${method.toUpperCase()} ${path}`;
  button.addEventListener('click', () => {
    const attempt = button.nextElementSibling;
    if (!(attempt instanceof HTMLElement)) return void openAttempt(article, { method, path }, button);
    attempt.hidden = !attempt.hidden;
    button.ariaExpanded = String(!attempt.hidden);
  });
  article.append(button);
}

async function openAttempt(
  article: HTMLElement,
  place: { readonly method: string; readonly path: string },
  button: HTMLButtonElement,
): Promise<void> {
  button.ariaExpanded = 'true';
  const inputs = inputsOf(await operationAt(place));
  const status = make('p', { className: 'outcome', role: 'status' });
  const output = make('pre', { tabIndex: 0, hidden: true, ariaLabel: 'Answer' });
  const submit = make('button', { type: 'submit', textContent: 'Send' });
  const fields = inputs.inputs.flatMap((input, at) => fieldOf(`${article.id}-${at}`, input));
  const form = make('form', { className: 'attempt' }, ...fields, submit);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit.disabled = true;
    status.textContent = 'Waiting for the answer …';
    void send(requestOf(place, form, inputs))
      .then(async (answer) => {
        output.textContent = await readable(answer);
        output.hidden = output.textContent === '';
        status.textContent =
          answer.type === 'opaqueredirect' ? 'It leads elsewhere.' : `Status ${answer.status}`;
      })
      .catch(() => {
        output.hidden = true;
        status.textContent = 'There was no answer.';
      })
      .finally(() => {
        submit.disabled = false;
      });
  });
  button.after(make('div', { className: 'attempts' }, form, status, output));
  (form.querySelector<HTMLElement>('input, select') ?? submit).focus();
}

async function operationAt({ method, path }: { readonly method: string; readonly path: string }) {
  description ??= fetch('/api/docs-json').then((answer) => answer.json() as Promise<Description>);
  const operation = (await description).paths[path]?.[method];
  if (!operation) throw new Error(`The description has no ${method} ${path}.`);
  return operation;
}

async function readable(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, SHOWN_LENGTH);
  } catch {
    return text.slice(0, SHOWN_LENGTH);
  }
}
