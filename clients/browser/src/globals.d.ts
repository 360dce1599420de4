interface Window {
  footfall?: {
    (command: string, ...args: any[]): void;
    /** The calls that a stub keeps until the script is there. */
    q?: [string, ...any[]][];
    /** Set by the script itself, never by a stub. */
    ready?: boolean;
  };
}

interface Navigator {
  readonly globalPrivacyControl?: boolean;
}
