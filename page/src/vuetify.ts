import "vuetify/styles/core";
import { createVuetify } from "vuetify";
import { aliases, mdi } from "vuetify/iconsets/mdi-svg";
import { chosenTheme } from "./state/theme.js";

/**
 * Colours with a contrast of 4.5 to 1 and more against the surfaces that they are on. That of the page itself, of what can be
 * pressed and of what is chosen, is none of those that a verdict or a change has.
 */
const light = {
  dark: false,
  colors: {
    background: "#f7f6f9",
    surface: "#ffffff",
    primary: "#5b3a9e",
    secondary: "#37474f",
    error: "#b3261e",
    warning: "#8a4b00",
    info: "#1259a6",
    success: "#1b5e20",
  },
};

const dark = {
  dark: true,
  colors: {
    background: "#131217",
    surface: "#1c1b21",
    primary: "#cbb8f5",
    secondary: "#b0bec5",
    error: "#ffb4ab",
    warning: "#ffcc80",
    info: "#9ecaff",
    success: "#a5d6a7",
  },
};

export const vuetify = createVuetify({
  icons: { defaultSet: "mdi", aliases, sets: { mdi } },
  defaults: { VBtn: { variant: "tonal" }, VTabs: { color: "primary" } },
  theme: { defaultTheme: chosenTheme(), themes: { light, dark } },
});
