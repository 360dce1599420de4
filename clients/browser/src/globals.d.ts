interface Window {
  footfall?: {
    (command: string, ...args: any[]): void;
    /** The calls that a stub keeps until the script is there. */
    q?: [string, ...any[]][];
    /** The hook of the page; it may be set before the script is there. */
    before?: (event: any) => any;
    /** Set by the script itself, never by a stub. */
    ready?: boolean;
  };
}

interface Navigator {
  readonly globalPrivacyControl?: boolean;
}
