// What Brush's scripts, and htmx, tell each other: the details of events, and what lies on `window`.

import type { FragmentFrame } from "./live.js";

interface HtmxDetail {
  elt: HTMLElement;
  verb: string;
  path: string;
  parameters: Record<string, unknown>;
  formData?: FormData;
  headers: Record<string, string>;
  xhr: XMLHttpRequest;
  requestConfig: { verb: string };
  target: Element;
  fragment: DocumentFragment;
  shouldSwap: boolean;
  successful: boolean;
  triggeringEvent?: SubmitEvent;
  issueRequest(skipsConfirmation?: boolean): void;
}

interface Fragment {
  audience: string;
  stamp: FragmentFrame["s"];
  region: HTMLElement;
}

declare global {
  interface DocumentEventMap {
    "htmx:confirm": CustomEvent<HtmxDetail>;
    "htmx:configRequest": CustomEvent<HtmxDetail>;
    "htmx:beforeRequest": CustomEvent<HtmxDetail>;
    "htmx:afterRequest": CustomEvent<HtmxDetail>;
    "htmx:oobBeforeSwap": CustomEvent<HtmxDetail>;
    "htmx:beforeSwap": CustomEvent<HtmxDetail>;
    "htmx:afterSettle": CustomEvent<HtmxDetail>;
    "htmx:responseError": CustomEvent<HtmxDetail>;
  }

  interface WindowEventMap {
    "brush:fragment": CustomEvent<Fragment>;
    "brush:connection": CustomEvent<{ state: string }>;
    "brush:queue": CustomEvent<{ count: number; state: string }>;
    "brush:newer": CustomEvent<{ files: string }>;
  }

  interface Window {
    htmx?: {
      process(element: Element): void;
      trigger(element: Element, name: string): void;
      ajax(verb: string, path: string, context: { target: string; swap: string }): void;
    };
    SwaggerUIBundle: { (settings: Record<string, unknown>): void; presets: { apis: unknown } };
  }
}

