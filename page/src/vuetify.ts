import "vuetify/styles/core";
import { createVuetify } from "vuetify";
import { aliases, mdi } from "vuetify/iconsets/mdi-svg";
import { chosenTheme } from "./state/theme.js";

/** Colours with a contrast of 4.5 to 1 and more against the surfaces that they are on. */
const light = {
  dark: false,
  colors: {
    background: "#f6f7f6",
    surface: "#ffffff",
    primary: "#1b5e20",
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
    background: "#121512",
    surface: "#1b1f1b",
    primary: "#a5d6a7",
    secondary: "#b0bec5",
    error: "#ffb4ab",
    warning: "#ffcc80",
    info: "#9ecaff",
    success: "#a5d6a7",
  },
};

export const vuetify = createVuetify({
  icons: { defaultSet: "mdi", aliases, sets: { mdi } },
  theme: { defaultTheme: chosenTheme(), themes: { light, dark } },
});
