import {
  type Content,
  type MediaType,
  type OpenApiDocument,
  type Operation,
  type ParameterObject,
  referredName,
  type ResponseObject,
  type Schema,
} from './openapi';
import { type Html, markup, NOTHING, prose } from '../../../platform/pages/web-page';
import { exampleHtml, keysOf, kindOf, row } from './schema-html';

/** Keys in every success of the main interface; described in the introduction. */
const ENVELOPE = ['result', 'msg', 'ignored_parameters_unsupported'];

/** One operation: its purpose, permissions, input and responses. */
export function operationHtml(
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: Operation,
): Html {
  const { operationId, summary, description = '', deprecated } = operation;
  return markup`<article
    id="${operationId}"
    data-method="${method}"
    data-path="${path}"
    ${deprecated ? markup` class="old"` : NOTHING}
  >
    <div class="about">
      <h3>
        <a href="#${operationId}"><b class="${method}">${method.toUpperCase()}</b> <code>${path}</code></a
        >${deprecated ? markup` <i>deprecated</i>` : NOTHING}
      </h3>
      <p>${prose(`${summary}. ${description}`)}</p>
    </div>
    ${inputHtml(operation)} ${answersHtml(document, operation)}
    ${exampleHtml(document, method, path, operation)}
  </article> `;
}

function inputHtml({ parameters, requestBody }: Operation): Html {
  const own = parameters.filter(({ $ref }) => $ref === undefined);
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const bodyRows = type && body?.schema ? bodyHtml(type, body) : NOTHING;
  if (own.length === 0 && bodyRows === NOTHING) return NOTHING;
  return markup`<section>
    <h4>Takes</h4>
    ${own.length === 0 ? NOTHING : markup`<dl>${own.map(parameterHtml)}</dl>`}${bodyRows}
  </section>`;
}

function parameterHtml({
  name = '',
  in: place = 'query',
  required,
  schema,
  content,
  description = '',
}: ParameterObject): Html {
  const value = schema ?? jsonSchemaOf(content) ?? {};
  const words = [place, content ? 'JSON' : '', required && place !== 'path' ? 'required' : ''];
  return row(name, value, markup`<i>${words.filter((word) => word !== '').join(', ')}</i>`, description);
}

function bodyHtml(type: string, { schema = {}, encoding = {} }: MediaType): Html {
  const kind =
    type === 'application/json' ? 'Body, JSON' : type === 'multipart/form-data' ? 'Form with a file' : 'Form';
  const rows = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const words = [encoding[name] ? 'JSON' : '', schema.required?.includes(name) ? 'required' : ''];
    return row(name, property, markup`<i>${words.filter((word) => word !== '').join(', ')}</i>`);
  });
  return markup`<h5>${kind}</h5>
    ${rows.length === 0 ? markup`<p class="kind">${kindOf(schema)}</p>` : markup`<dl>${rows}</dl>`}`;
}

function answersHtml(document: OpenApiDocument, { responses }: Operation): Html {
  const statuses = Object.entries(responses).filter(([status]) => status !== 'default');
  return markup`<section>
    <h4>Answers</h4>
    ${statuses.map(([status, response]) => answerHtml(document, status, response))}
  </section>`;
}

function answerHtml(document: OpenApiDocument, status: string, response: ResponseObject): Html {
  const known = response.$ref ? document.components.responses[response.$ref.split('/').at(-1)!] : response;
  const { description = '', content } = known ?? {};
  const type = Object.keys(content ?? {})[0];
  const schema = response.$ref ? undefined : jsonSchemaOf(content);
  const isFile = type !== undefined && type !== 'application/json';
  return markup`<p>
      <b class="status">${status}</b> ${prose(description)}${isFile ? markup` <code>${type}</code>` : NOTHING}
    </p>
    ${schema && Number(status) < 400 ? successHtml(schema) : NOTHING}`;
}

function successHtml(schema: Schema): Html {
  const name = referredName(schema);
  if (name === 'Success') return NOTHING;
  return name === null ? keysOf(schema, ENVELOPE) : markup`<p class="kind">${kindOf(schema)}</p>`;
}

function jsonSchemaOf(content: Content | undefined): Schema | undefined {
  return content?.['application/json']?.schema;
}
